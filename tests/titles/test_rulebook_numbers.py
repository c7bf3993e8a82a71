"""The numbers that rules.md states and that come from board.toml are the numbers of board.toml.

A claim is a rule number and a phrase that the rule must contain. What stands in braces is looked up in the board file:
`{components.money}` is an entry, `{cities.E0.track.-1}` the last item of a list, `{tech.*.builds}` the same entry of
every table, and `{railroads.PA.cubes - 2}` is computed from left to right. Formats follow a colon:
`{decisions.expand:word}`. Entries under `counted` are not in the file as such: COUNTED works them out from it.
"""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import pytest

Board = dict[str, Any]

CLAIMS = {
    "wabash": [
        ("W1.1", "share ${components.money} equally"),
        ("W1.1", "{counted.money_each:dollars or} each for 2, 3, 4, 5 or 6 players"),
        ("W1.2", "{railroads.*.income:count Word} railroads begin"),
        ("W1.2", "NYC in {counted.start.NYC} with {railroads.NYC.income}"),
        ("W1.2", "PA in {counted.start.PA} with {railroads.PA.income}"),
        ("W1.2", "B&O in {counted.start.B&O} with {railroads.B&O.income}"),
        ("W1.2", "C&O in {counted.start.C&O} with {railroads.C&O.income}"),
        ("W1.3", "Shares: PA {railroads.PA.shares}, B&O {railroads.B&O.shares}, NYC {railroads.NYC.shares},"),
        ("W1.3", "C&O {railroads.C&O.shares}, Wabash {railroads.Wabash.shares}. Cubes left"),
        ("W1.3", "Cubes left to build with: PA {railroads.PA.cubes - 2}, B&O {railroads.B&O.cubes - 2}, NYC"),
        ("W1.3", "NYC {railroads.NYC.cubes - 2}, C&O {railroads.C&O.cubes - 2}, Wabash {railroads.Wabash.cubes - 2}."),
        ("W1.4", "Detroit starts at {cities.E0.track.0}, Wheeling at {cities.I6.track.0}"),
        ("W1.4", "and Pittsburgh at {cities.K4.track.0} on their income tracks"),
        ("W1.4", "There are {components.development_cubes} development cubes"),
        ("W2.1", "one share each of {components.initial_auctions:and} is auctioned, in this order"),
        ("W2.2", "the income itself: {counted.first_incomes:dollars and}"),
        ("W3.2", "{decisions.capitalize:Word} capitalizations, {decisions.develop:word} developments"),
        ("W3.2", "and {decisions.expand:word} expansions"),
        ("W3.2", "{decisions.capitalize:word}, {decisions.develop:word} and {decisions.expand:word} are the numbers"),
        ("W4.2", "builds one, two or {decisions.builds:word} hexes"),
        ("W4.9", "a base cost of {counted.chicago_cost}"),
        ("W4.9", "the {counted.chicago_cost} is from the map"),
        ("W5.2", "A mine adds {components.mine_income.0}"),
        ("W5.3", "Chicago adds {cities.A2.income.0}"),
        ("W5.3", "does not print the {cities.A2.income.0}"),
        ("W6.3", "pays ${components.timber_pays} from the bank"),
        ("W6.4", "by {components.mine_income.1 - components.mine_income.0}"),
        ("W6.6", "Wheeling goes {cities.I6.track} and Pittsburgh {cities.K4.track}."),
        ("W9.2", "what Fort Wayne earns: {cities.D3.income.0}, or {cities.D3.income.1} if developed"),
        ("W10.4", "every railroad there earns {counted.detroit_steps:same} more"),
        ("W11.1", "{end.railroads_built_out:word} or more railroads have no cube left"),
        ("W11.1", "{end.railroads_sold_out:word} or more railroads have no unsold share"),
        ("W11.1", "{end.development_cubes_left:word} or fewer development cubes are left"),
        ("W11.1", "Detroit already stood at {cities.E0.track.-1}"),
        ("W11.1", "at most {cities.E0.track:count word} general dividends"),
        ("W11.2", "All {railroads:count word} railroads"),
    ],
    "southern_rails": [
        ("preface", "to {seats.colors:count} players"),
        ("preface", "shares of {railroads:count word} railroads"),
        ("preface", "{scoring.rounds:Word} times the railroads are compared"),
        ("S1.1", "There are {railroads:count word} railroads: {railroads:keys and}."),
        ("S1.1", "Each has {railroads.*.cubes:same} cubes and {railroads.*.shares:same} shares"),
        ("S4.4", "a rural hex holds {kinds.rural.cubes} cubes, a green city {kinds.green.cubes}, a blue"),
        ("S4.4", "a blue city {kinds.blue.cubes}, a red city {kinds.red.cubes}."),
        ("S4.4", "Atlanta holds {counted.atlanta_holds}"),
        ("S5.1", "by ${kinds.green.revenue} in a green city, ${kinds.blue.revenue} in a blue one"),
        ("S5.1", "${kinds.red.revenue} in a red one and ${kinds.yellow.revenue} in Atlanta"),
        ("S5.1", "A rural hex adds {kinds.rural.revenue:word}"),
        ("S6.1", "places its {scoring.cube:ordinal} cube"),
        ("S6.2", "There are {counted.categories:word} categories"),
        ("S6.3", "{kinds.*.points:same} point a share each"),
        ("S6.4", "{scoring.revenue} points a share"),
        ("S6.5", "{scoring.track} point a share, but only if it is {scoring.track_least} cubes or more"),
        ("S6.6", "{scoring.shares} point a share"),
        ("S8.1", "right after the {scoring.rounds:ordinal} scoring round"),
    ],
    "gmo": [
        ("G1.1", "begins with {components.money:dollars or} in a game of 3, 4 or 5"),
        ("G1.2", "There are {colors.*.cubes:sum} cubes: {counted.cubes:and}."),
        ("G1.3", "There are {railroads:count} railroads"),
        ("G1.3", "{counted.first:count Word} charters are available from the start: {counted.first:and}."),
        ("G1.3", "so are {counted.not_in_rulebook} of the {railroads:count} railroads"),
        ("G1.3", "names only the {counted.first:count word} and the WP. Of the {counted.not_in_rulebook},"),
        ("G2.2", "must put the charter of the {components.first_charter} up"),
        ("G4.5", "Only the {counted.first:count word} first railroads"),
        ("G4.8", "A bid under ${components.cube_cost * 3}"),
        ("G5.2", "pays ${components.dividend_shared} instead of ${components.dividend_alone}"),
        ("G5.4", "When it reaches {components.sales_to_dividend}, dividends are paid"),
        ("G5.5", "${components.dividend_alone} for a charter whose common share was never put up"),
        (
            "G5.5",
            "${components.dividend_shared} for any other charter, ${components.dividend_shared} for a common share",
        ),
        ("G7.1", "costs ${components.cube_cost}"),
        ("G8.2", "A cube in a city scores {points.city} point, in Atlanta {cities.H9.points}."),
        ("G8.3", "scores {points.color} point for each colour"),
        ("G8.5", "scores {points.charter} point for its charter"),
        ("G8.5", "{counted.bonus:and} score {railroads.*.bonus:same} more: the +{railroads.*.bonus:same} on"),
        ("G8.6", "{points.city} for the city, {points.charter} for the charter, {points.color} for red"),
        ("G8.6", "scores {points.city} for the city and {points.color * 2} for green and yellow"),
        ("G8.6", "Columbus with green scores {points.city} for the city"),
        ("G8.6", "makes {points.color + points.city * 3 + points.charter} points for ${components.cube_cost * 5}"),
        ("G8.6", "the last ${0 - components.cube_cost * 5 + 16} goes to the bank"),
        ("G10.1", "If all {colors:count word} colours"),
    ],
    "baltimore_ohio": [
        ("preface", "shares of {railroads:count word} railroads"),
        ("B1.1", "begins with {components.money:dollars or} for 3, 4, 5 or 6 players"),
        ("B1.2", "There are {railroads:count word} railroads with {components.shares:word} shares each"),
        ("B1.2", "B&O begins in {counted.start.B&O} with {railroads.B&O.cubes} cubes"),
        ("B1.2", "C&O in {counted.start.C&O} with {railroads.C&O.cubes}"),
        ("B1.2", "NYC in {counted.start.NYC} with {railroads.NYC.cubes}"),
        ("B1.2", "PA in {counted.start.PA} with {railroads.PA.cubes}"),
        ("B1.2", "NYNH&H in {counted.start.NYNH&H} with {railroads.NYNH&H.cubes}"),
        ("B1.2", "B&M in {counted.start.B&M} with {railroads.B&M.cubes}"),
        ("B1.2", "ERIE in {counted.start.ERIE} with {railroads.ERIE.cubes}"),
        ("B1.2", "IC in {counted.start.IC} with {railroads.IC.cubes}"),
        ("B1.2", "WABASH in {counted.start.WABASH} with {railroads.WABASH.cubes}"),
        ("B1.2", "NYC&SL (the Nickel Plate) in {counted.start.NYC&SL} with {railroads.NYC&SL.cubes}"),
        ("B1.3", "The {tech.*.equipment:flat count} cards"),
        ("B1.3", "{counted.cards_of_a_tech:same word} of each technology level (tech) from 1 to {tech:count}"),
        ("B1.3", "prices are ${tech.1.equipment} · ${tech.2.equipment} · ${tech.3.equipment} ·"),
        ("B1.3", "· ${tech.4.equipment} · ${tech.5.equipment} · ${tech.6.equipment}. The game"),
        ("B1.4", "each of the {counted.coal:count word} coal hexes {counted.coal:and}"),
        ("B1.4", "the timber counter in {counted.timber_city}, {options.timber_hex.0}"),
        ("B1.4", "with `{options.timber_hex.1}` it lies there"),
        ("B4.1", "The boxes of the track are {valuation.track:and}"),
        ("B4.3", "A counter at {valuation.track.0} cannot move left and one at {valuation.track.-1} cannot"),
        ("B7.1", "{counted.first:and} from the beginning, {counted.later:and} from tech {counted.later_tech:same} on"),
        ("B7.2", "${tech.1.initial:or} at tech 1; ${tech.2.initial:or} at tech 2; ${tech.3.initial:or} at tech 3"),
        ("B7.2", "${tech.4.initial:or} at tech 4; ${tech.5.initial:or} at tech 5"),
        ("B7.5", "with `{options.restart_at}` it restarts at ${options.restart_at} only"),
        ("B10.1", "pays ${counted.scrap_a_level:same} for each level of the card"),
        ("B10.1", "${tech.1.scrap} for tech 1, ${tech.2.scrap} for tech 2, up to ${tech.6.scrap} for tech 6"),
        ("B10.1", "One card of tech 1 and two of tech 2 bring ${tech.1.scrap + tech.2.scrap + tech.2.scrap}"),
        ("B10.4", "At tech {tech:keys} a railroad builds at most {tech.*.builds} hexes in a turn"),
        ("B10.4", "a city takes {tech.*.city_limit} railroads"),
        ("B10.4", "a card costs ${tech.*.maintenance} of maintenance"),
        ("B10.4", "timber earns ${tech.*.timber}."),
        ("B10.4", "{tech.1.city_limit:word} railroads in a city at tech 1"),
        ("B10.4", "{options.tech1_city_limit.0:word} railroads in a city at tech 1"),
        ("B10.4", "with `{options.tech1_city_limit.1}` a city takes one railroad at tech 1"),
        ("B11.3", "are not next to each other: {counted.heavy_lines}."),
        ("B11.7", "until NYC has track in {counted.new_york_must:and}"),
        ("B11.8", "until PA has track in {counted.pennsylvania_must:and}"),
        ("B11.8", "no other railroad builds into {counted.pennsylvania_closed:or}"),
        ("B13.5", "each coal counter earns ${components.coal_pays}"),
        ("B13.5", "the timber counter ${counted.timber_a_level:same} for each level"),
        ("B13.6", "at tech 3 a card of tech 1 and two of tech 2 cost ${tech.3.maintenance * 3}"),
        ("B14.1", "moves {valuation.unprofitable:word} boxes left"),
        ("B14.1", "from {valuation.track.1} it comes to {valuation.track.0}"),
        ("B14.4", "all {components.shares:word} shares become held shares"),
        ("B15.2", "a {components.shares:ordinal} of the net income"),
        ("B16.1", "a railroad is valued at ${end.valuation} or the tech is {end.tech}"),
        ("B16.4", "where a {components.longest_simulation + 1}st Market Round"),
    ],
    "credit_mobilier": [
        ("preface", "{railways:count Word} railways build track"),
        ("C1.1", "{counted.rows} rows and {counted.columns} columns"),
        ("C1.2", "the {railways:count word} railways: {railways:keys and}."),
        ("C1.2", "{components.pawns} pawns of each color, so {counted.pawns_over} of {counted.pawns} stay out"),
        ("C1.3", "begins with ${start.cash} and {start.shares:word} share of the {construction.name}"),
        ("C1.3", "whose color is {construction.color}"),
        ("C1.3", "All {counted.companies:word} treasuries"),
        ("C1.4", "Every company has {components.shares} shares"),
        ("C1.4", "with `{components.shares}`, the default"),
        ("C2.1", "a roll of {dice.count:word} dice"),
        ("C2.1", "Each die shows {dice.faces:or}, all equally likely"),
        ("C2.1", "names the {dice.faces:count word} colors"),
        ("C2.5", "as {dice.count:word} {dividends.color} do"),
        ("C3.1", "One yellow and {dice.count - 1:word} purple are up to {dice.count:word} yellow actions"),
        ("C4.5", "pays ${economy.track} into the treasury"),
        ("C5.5", "${economy.goods} for the company of the pawn and ${economy.line} for the company of the track"),
        ("C5.5", "or ${economy.goods + economy.line} if that is the same"),
        ("C6.1", "A share costs ${economy.share}"),
        ("C7.1", "at least one {dividends.color} die"),
        ("C8.1", "when only {end.colors:word} colors of goods, or fewer"),
        ("C8.4", "give up before turn {end.turns + 1:comma}"),
    ],
}

# Figures that no entry of the board file gives: seats and rows, limits of the program, what the rules themselves say
NOT_OF_THE_BOARD = {
    "wabash": {"W1.1": ["0"], "W2.4": ["999", "999"], "W7.2": ["23", "8"]},
    "southern_rails": {"S1.3": ["0"], "S1.4": ["0"], "S6.6": ["0"], "S6.7": ["0"]},
    "gmo": {"G1.1": ["0"], "G3.1": ["0"], "G3.3": ["999", "999"], "G8.6": ["16"]},
    "baltimore_ohio": {
        "B1.3": ["1"],
        "B1.5": ["1", "2", "3"],
        "B2.2": ["1", "2"],
        "B7.3": ["0"],
        "B10.4": ["4"],
        "B13.1": ["1", "2", "5"],
        "B13.7": ["0", "0"],
        "B14.3": ["0", "0", "0"],
    },
    "credit_mobilier": {
        "C1.1": ["1", "1"],
        "C1.6": ["0"],
        "C7.1": ["1"],
        "C7.3": ["1", "1"],
    },
}


# What the board file says without having an entry for it


def name_of(board: Board, id: str) -> str:
    return str(board["cities"][id]["name"])


def starts(board: Board) -> dict[str, str]:
    """The name of the city in which each railroad starts."""
    return {key: name_of(board, railroad["start"]) for key, railroad in board["railroads"].items()}


def rows_of_map(board: Board) -> list[list[str]]:
    return [line.split() for line in board["map"].strip().splitlines()]


def count_wabash(board: Board) -> Board:
    (chicago,) = (word for row in rows_of_map(board) for word in row if re.fullmatch(r"X\d+", word))
    return {
        "start": starts(board),
        "money_each": [board["components"]["money"] // players for players in range(2, 7)],
        "detroit_steps": [after - before for before, after in pairwise(board["cities"]["E0"]["track"])],
        "first_incomes": [board["railroads"][key]["income"] for key in board["components"]["initial_auctions"]],
        "chicago_cost": chicago[1:],
    }


def count_southern_rails(board: Board) -> Board:
    room, railroads = board["kinds"]["yellow"]["cubes"], len(board["railroads"])
    scored_by_all = ("revenue", "track", "shares")
    return {
        "atlanta_holds": "one cube of each railroad" if room == railroads else f"{room} cubes",
        "categories": sum("points" in kind for kind in board["kinds"].values())
        + sum(category in board["scoring"] for category in scored_by_all),
    }


def count_gmo(board: Board) -> Board:
    railroads = board["railroads"].items()
    return {
        "cubes": [f"{color['cubes']} {key}" for key, color in board["colors"].items()],
        "first": [f"{key} in {name_of(board, rr['homes'][0])}" for key, rr in railroads if rr["opens"] == "at once"],
        "bonus": [key for key, rr in railroads if "bonus" in rr],
        "not_in_rulebook": sum(rr["sure"] != "rulebook" for _, rr in railroads),
    }


def count_baltimore_ohio(board: Board) -> Board:
    railroads, states = board["railroads"].items(), board["states"]
    # columns are counted twice: 0, 2, 4 … in the rows A, C, E … and 1, 3, 5 … in between
    coal = [
        f"{letter}{2 * column + row % 2}"
        for row, (letter, *words) in enumerate(rows_of_map(board))
        for column, word in enumerate(words)
        if word.startswith("K")
    ]
    return {
        "start": starts(board),
        "coal": coal,
        "timber_city": name_of(board, board["options"]["timber_hex"][0]),
        "scrap_a_level": [f"{tech['scrap'] / int(level):g}" for level, tech in board["tech"].items()],
        "timber_a_level": [f"{tech['timber'] / int(level):g}" for level, tech in board["tech"].items()],
        "cards_of_a_tech": [len(tech["equipment"]) for tech in board["tech"].values()],
        "first": [key for key, rr in railroads if rr["from_tech"] == 1],
        "later": [key for key, rr in railroads if rr["from_tech"] > 1],
        "later_tech": [rr["from_tech"] for _, rr in railroads if rr["from_tech"] > 1],
        "heavy_lines": [" and ".join(name_of(board, id) for id in pair.split()) for pair in board["heavy_lines"]],
        "new_york_must": [name_of(board, id) for id in states["new_york"]["must"]],
        "pennsylvania_must": [name_of(board, id) for id in states["pennsylvania"]["must"]],
        "pennsylvania_closed": [name_of(board, id) for id in states["pennsylvania"]["closed"]],
    }


def count_credit_mobilier(board: Board) -> Board:
    columns, *lines = rows_of_map(board)
    rows = sum(line[0].isalpha() and line[0].isupper() for line in lines)
    pawns = board["components"]["pawns"] * len(board["railways"])
    return {
        "rows": rows,
        "columns": len(columns),
        "pawns": pawns,
        "pawns_over": pawns - rows * len(columns),
        "companies": len(board["railways"]) + 1,
    }


COUNTED: dict[str, Callable[[Board], Board]] = {
    "wabash": count_wabash,
    "southern_rails": count_southern_rails,
    "gmo": count_gmo,
    "baltimore_ohio": count_baltimore_ohio,
    "credit_mobilier": count_credit_mobilier,
}


# The two files


@cache
def board_of(key: str) -> Board:
    board = tomllib.loads((files("cuberails.titles") / key / "board.toml").read_text("utf-8"))
    return board | {"counted": COUNTED[key](board)}


@cache
def rules_of(key: str) -> dict[str, str]:
    """Each rule by number, and what stands before the first section as `preface`, with single spaces."""
    text = (files("cuberails.titles") / key / "rules.md").read_text("utf-8")
    rules = {"preface": " ".join(text.partition("\n## ")[0].split())}
    for block in text.split("\n\n"):
        if start := re.match(r"\*\*([A-Z]+\d+\.\d+)\*\* ", block):
            rules[start[1]] = " ".join(block[start.end() :].split())
    return rules


# Phrases with entries of the board

WORDS = ["nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ORDINALS = ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
}


def only(values: list[Any]) -> Any:
    assert len(set(values)) == 1, f"expected one value for all, board.toml has {values}"
    return values[0]


FORMATS: dict[str, Callable[[Any], Any]] = {
    "and": lambda values: listed(values, "and"),
    "or": lambda values: listed(values, "or"),
    "comma": "{:,}".format,
    "count": len,
    "dollars": lambda values: [f"${value}" for value in values],
    "flat": lambda values: [value for inner in values for value in inner],
    "keys": list,
    "ordinal": lambda value: ORDINALS[value] if value < len(ORDINALS) else f"{value}th",
    "same": only,
    "sum": sum,
    "word": lambda value: WORDS[value] if value < len(WORDS) else str(value),
    "Word": lambda value: WORDS[value].capitalize() if value < len(WORDS) else str(value),
}


def listed(values: list[Any], last: str) -> str:
    *most, final = map(str, values)
    return f"{', '.join(most)} {last} {final}" if most else final


def entry(value: Any, path: list[str]) -> Any:
    """The entry at a path; `*` stands for every table that has the rest of it."""
    if not path:
        return value
    step, *rest = path
    if step == "*":
        return [entry(inner, rest) for inner in value.values() if rest[0] in inner]
    return entry(value[int(step)] if isinstance(value, list) else value[step], rest)


def computed(board: Board, expression: str) -> Any:
    first, *more = [int(word) if word.isdecimal() else word for word in expression.split()]
    operands = [word if isinstance(word, int) else entry(board, word.split(".")) for word in (first, *more[1::2])]
    result = operands[0]
    for sign, operand in zip(more[::2], operands[1:]):
        result = OPERATORS[str(sign)](result, operand)
    return result


def rendered(key: str, template: str) -> tuple[str, str]:
    """The phrase with the values of the board, and the entries that were used, for a message."""
    used: list[str] = []

    def value_of(field: re.Match[str]) -> str:
        expression, _, formats = field[1].partition(":")
        try:
            value = computed(board_of(key), expression)
        except (KeyError, IndexError) as missing:
            pytest.fail(f"{key}/board.toml has no {missing.args[0]!r}, wanted for {expression} in {template!r}")
        used.append(f"{expression} = {value if not isinstance(value, dict) else list(value)}")
        for name in formats.split():
            value = FORMATS[name](value)
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

    phrase = re.sub(r"\{([^}]+)\}", value_of, template)
    return phrase, "; ".join(used)


def places(phrase: str, text: str) -> Iterator[re.Match[str]]:
    """Where the phrase stands by itself: $2 is not found in $20."""
    return re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text)


@pytest.mark.parametrize(("key", "rule", "template"), [(key, *claim) for key in CLAIMS for claim in CLAIMS[key]])
def test_a_rule_states_the_numbers_of_the_board(key: str, rule: str, template: str) -> None:
    text = rules_of(key).get(rule)
    assert text is not None, f"{key}/rules.md has no rule {rule}"
    phrase, used = rendered(key, template)
    assert any(places(phrase, text)), (
        f"{rule} and board.toml of {key} differ. The board has {used}; "
        f"so the rule should say {phrase!r}, but it says: {text}"
    )


@pytest.mark.parametrize("key", CLAIMS)
def test_no_figure_of_the_rules_goes_unchecked(key: str) -> None:
    """Every figure in a rule is inside a claim or known not to come from the board."""
    unchecked: dict[str, list[str]] = {}
    for rule, text in rules_of(key).items():
        phrases = [rendered(key, template)[0] for number, template in CLAIMS[key] if number == rule]
        spans = [place.span() for phrase in phrases for place in places(phrase, text)]
        found = [
            figure[0]
            for figure in re.finditer(r"(?<![\w.])\d+(?:,\d{3})*", text)
            if not any(start <= figure.start() < end for start, end in spans)
        ]
        if rule != "preface" and found != NOT_OF_THE_BOARD[key].get(rule, []):
            unchecked[rule] = found
    assert unchecked == {}, (
        f"figures in {key}/rules.md that no claim covers: name their entry in CLAIMS, or list them in NOT_OF_THE_BOARD"
    )


@pytest.mark.parametrize("key", CLAIMS)
def test_rulings_are_marked_in_one_way(key: str) -> None:
    """*Our ruling:* where the rulebook is silent, *Our reading:* where it can be read in more than one way."""
    text = " ".join(rules_of(key).values())
    assert len(re.findall(r"\bour (?:ruling|reading)", text, re.IGNORECASE)) == len(
        re.findall(r"\*Our (?:ruling|reading):\* ", text)
    )
