"""Other boards of each title, made from the built-in one by chance: other sizes, places, railroads, names, numbers."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from random import Random
from typing import Any

import cuberails
from cuberails.core.hexes import DOUBLED, FLAT, LAYOUTS, Grid, name_of, read_map

Data = dict[str, Any]
NAMES = [
    "Ü&Ö",
    "東京",
    "A.B.C.",
    "x'y\"z",
    "<b>&amp;",
    "100",
    "N/A",
    "a_b",
    "Far-Beyond-Long-Island",
    "é",
    "best",
]
COLORS = ["teal", "orange", "pink", "brown", "gray", "white", "tan", "#ff0000"]
LETTERS = "1234567890QXZVJ"
LARGEST_MAP = 24
"""Letters go to Z; a few are left for the rows and columns that are added."""


def vary(key: str, seed: int) -> str:
    """The text of a board of this title. The same seed gives the same board."""
    data, rng = tomllib.loads(cuberails.load(key).board.text), Random(f"{key} {seed}")
    data["name"] = f"variation {seed}"
    CHANGES[key](data, rng)
    return to_toml(data)


# TOML


def to_toml(data: Data) -> str:
    """The same data as a file: plain values first, then the tables."""
    return "\n".join(_lines(data, ""))


def _lines(data: Data, path: str) -> list[str]:
    plain = [f"{_key(name)} = {_value(value)}" for name, value in data.items() if not isinstance(value, dict)]
    for name, value in data.items():
        if isinstance(value, dict):
            inside = f"{path}{_key(name)}"
            plain += ["", f"[{inside}]", *_lines(value, f"{inside}.")]
    return plain


def _key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# Maps of hexes


class HexMap:
    """A map that can be changed: words by column and row. `moved` says where each hex that cities stood in is now."""

    def __init__(self, data: Data, cities: str) -> None:
        self.layout: str = data["layout"]
        self.cities = cities
        self.words = {(cell.col, cell.row): cell.word for cell in read_map(self.layout, data["map"])}
        if self.layout == FLAT:  # its last line may be half a row
            across, down = (max(place[n] for place in self.words) + 1 for n in (0, 1))
            self.words = {(col, row): "." for row in range(down) for col in range(across)} | self.words
        self.moved: dict[str, str] = {}

    def id(self, place: tuple[int, int]) -> str:
        return name_of(self.layout, *place)

    def lay_out(self, layout: str) -> None:
        """The same rows and columns in another layout: every hex gets another name and other neighbours."""
        fresh: dict[tuple[int, int], str] = {}
        for (col, row), word in self.words.items():
            across = col // 2 if self.layout == DOUBLED else col
            place = (2 * across + row % 2, row) if layout == DOUBLED else (across, row)
            fresh[place] = word
            self.moved[self.id((col, row))] = name_of(layout, *place)
        self.layout, self.words = layout, fresh

    def resize(self, rng: Random, plain: str) -> None:
        """Fewer or more rows and columns at the lower and the right edge."""
        across, down = (max(place[n] for place in self.words) + 1 for n in (0, 1))
        step = 2 if self.layout == DOUBLED else 1
        wide = min(max(6, across + step * rng.randint(-8, 4)), LARGEST_MAP * (1 if self.layout == FLAT else step))
        high = min(max(4, down + rng.randint(-6, 4)), LARGEST_MAP)
        old = self.words
        fresh = [(col, row) for row in range(high) for col in range(wide) if step == 1 or col % 2 == row % 2]
        self.words = {place: old.get(place) or rng.choice([plain, plain, plain, "~", "."]) for place in fresh}
        lost = {self.id(place): word for place, word in old.items() if place not in self.words}
        self._settle(rng, {id: word for id, word in lost.items() if word[0] in self.cities})

    def shuffle(self, rng: Random, part: float, plain: str) -> None:
        """Some cities move to other places."""
        cities = [place for place, word in self.words.items() if word[0] in self.cities and rng.random() < part]
        moving = {self.id(place): self.words[place] for place in cities}
        for place in cities:
            self.words[place] = plain
        self._settle(rng, moving)

    def _settle(self, rng: Random, cities: dict[str, str]) -> None:
        places = {id: self.put(rng, word) for id, word in cities.items()}
        self.moved = places | {old: places.get(new, new) for old, new in self.moved.items()}

    def put(self, rng: Random, word: str) -> str:
        """A city in open country or, where none is left, in what was water or beyond the map."""
        country = [place for place, word in self.words.items() if word[0] not in self.cities + "~."]
        place = rng.choice(country or [place for place, word in self.words.items() if word in ("~", ".")])
        self.words[place] = word
        return self.id(place)

    def now(self, id: str) -> str:
        return self.moved.get(id, id)

    def has(self, id: str) -> bool:
        return any(self.id(place) == id and word not in ("~", ".") for place, word in self.words.items())

    def some(self, rng: Random) -> str:
        return rng.choice([self.id(place) for place, word in self.words.items() if word not in ("~", ".")])

    def neighbours(self, rng: Random) -> str:
        """Two hexes next to each other."""
        cells = [cell for cell in read_map(self.layout, self.text()) if cell.word not in ("~", ".")]
        grid = Grid(self.layout, cells)
        one = rng.choice([n for n in range(grid.size) if grid.neighbours[n]])
        return f"{grid.ids[one]} {grid.ids[rng.choice(grid.neighbours[one])]}"

    def text(self) -> str:
        across, down = (max(place[n] for place in self.words) + 1 for n in (0, 1))
        lines = [[chr(65 + n) for n in range(across)]] if self.layout == FLAT else []
        for row in range(down):
            if self.layout == FLAT:
                halves = [[self.words.get((col, row), ".") for col in range(half, across, 2)] for half in (0, 1)]
                lines += [[str(row), *half] for half in halves]
            else:
                lines.append(
                    [chr(65 + row), *(self.words[col, row] for col in range(across) if (col, row) in self.words)]
                )
        return "\n".join(map(" ".join, lines))


def vary_map(data: Data, rng: Random, cities: str, plain: str) -> HexMap:
    """Another size, other places; the tables of the cities follow."""
    table = HexMap(data, cities)
    if rng.random() < 0.3:
        table.lay_out(rng.choice(LAYOUTS))
        data["layout"] = table.layout
    if rng.random() < 0.7:
        table.resize(rng, plain)
    if rng.random() < 0.5:
        table.shuffle(rng, rng.random() * 0.4, plain)
    data["cities"] = {table.now(id): city for id, city in data["cities"].items()}
    if "doubtful" in data:
        data["doubtful"] = {id: text for id, text in data["doubtful"].items() if table.has(id)}
    if rng.random() < 0.5:
        for city in rng.sample(list(data["cities"].values()), 3):
            city["name"] = rng.choice(["A", "Llanfairpwllgwyngyllgogerychwyrndrobwll", "<i>", "東京", "Saint Louis"])
    return table


def rename(tables: Data, rng: Random) -> dict[str, str]:
    """Some of the railroads get other names; old names by new ones, in the same order."""
    fresh = rng.sample(NAMES, len(NAMES))
    names = {name: fresh.pop() if fresh and rng.random() < 0.3 else name for name in tables}
    renamed = {names[name]: table for name, table in tables.items()}
    tables.clear()
    tables.update(renamed)
    return names


def numbers(table: Data, rng: Random, **ranges: tuple[int, int]) -> None:
    """Other numbers within these ranges."""
    for name, (least, most) in ranges.items():
        table[name] = rng.randint(least, most)


# The titles


def vary_wabash(data: Data, rng: Random) -> None:
    table, parts, railroads = vary_map(data, rng, "CISX", "F1"), data["components"], data["railroads"]
    for railroad in railroads.values():
        railroad["start"] = table.now(railroad["start"])
        numbers(railroad, rng, shares=(1, 7), cubes=(3, 30))
        if "income" in railroad:
            numbers(railroad, rng, income=(1, 40))
    parts["grows_by_itself"] = table.now(parts["grows_by_itself"])
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, 7)):
            letter, start = LETTERS[len(railroads)], table.put(rng, "S")
            data["cities"][start] = {"name": f"Start {start}", "name_sure": "no"}
            railroads[f"R{letter}"] = {
                "letter": letter,
                "color": rng.choice(COLORS),
                "start": start,
                "income": 3,
                "shares": 2,
                "cubes": 9,
            }
    elif rng.random() < 0.5:
        for name in rng.sample(["PA", "B&O", "C&O", "NYC"], 2):
            del railroads[name]
    names = rename(railroads, rng)
    parts["opens_last"] = names["Wabash"]
    others = [name for name in railroads if name != parts["opens_last"]]
    parts["initial_auctions"] = rng.sample(others, rng.randint(1, len(others)))
    numbers(parts, rng, money=(1, 9999), development_cubes=(1, 40), timber_pays=(0, 20))
    parts["mine_income"] = sorted(rng.choices(range(20), k=2))
    numbers(data["decisions"], rng, capitalize=(1, 6), develop=(1, 6), expand=(1, 6), builds=(1, 5))
    numbers(data["end"], rng, railroads_built_out=(1, 6), railroads_sold_out=(1, 6), development_cubes_left=(0, 9))
    for city in data["cities"].values():
        if "track" in city:
            city["track"] = sorted(rng.choices(range(100), k=rng.randint(2, 9)))
    data["map"] = costs(table, rng, "S", 5)


def costs(table: HexMap, rng: Random, free: str, step: int) -> str:
    """Other costs here and there."""
    for place, word in table.words.items():
        if word[0] not in f"~.{free}" and rng.random() < 0.1:
            table.words[place] = f"{word[0]}{step * rng.randint(0, 9)}"
    return table.text()


def vary_southern_rails(data: Data, rng: Random) -> None:
    table, railroads, scoring = vary_map(data, rng, "GBRY", "o"), data["railroads"], data["scoring"]
    numbers(scoring, rng, cube=(1, 12), rounds=(1, 5), revenue=(0, 9), track=(0, 5), track_least=(0, 20), shares=(0, 4))
    for letter in LETTERS[: rng.choice([0, 0, 1, 3, 6])]:
        railroads[f"R{letter}"] = {"letter": letter}
    for railroad in railroads.values():
        numbers(railroad, rng, shares=(scoring["rounds"] + 1, 9), cubes=(scoring["cube"], 20))
    rename(railroads, rng)
    for kind in data["kinds"].values():
        numbers(kind, rng, cubes=(1, 6), revenue=(0, 30))
    if rng.random() < 0.4:
        data["kinds"]["violet"] = {"letter": "V", "cubes": 2, "revenue": 5, "points": 3}
        id = table.put(rng, "V")
        data["cities"][id] = {"name": "Violetville", "from": "nowhere"}
    if rng.random() < 0.4:
        del data["kinds"]["red"]["points"]
    data["map"] = table.text()


def vary_gmo(data: Data, rng: Random) -> None:
    table, parts, railroads = vary_map(data, rng, "CS", "o"), data["components"], data["railroads"]
    for railroad in railroads.values():
        railroad["homes"] = [table.now(id) for id in railroad["homes"]]
    later = [name for name, railroad in railroads.items() if railroad["opens"] == "by a cube"]
    for name in rng.sample(later, rng.choice([0, 0, 5, len(later)])):
        del railroads[name]
    for n in range(rng.choice([0, 0, 2, 20])):
        home = rng.choice(list(data["cities"]))
        railroads[f"N{n}"] = {
            "name": f"New {n}",
            "homes": [home],
            "opens": "by a cube",
            "sure": "publisher",
            "bonus": n % 3,
        }
    parts["first_charter"] = rename(railroads, rng)["SC"]
    parts["money"] = rng.choices(range(1500 if rng.random() < 0.3 else 60), k=3)
    numbers(parts, rng, cube_cost=(1, 9), sales_to_dividend=(1, 5), dividend_alone=(0, 12), dividend_shared=(0, 9))
    numbers(data["points"], rng, city=(0, 5), color=(0, 5), charter=(0, 5))
    for color in rng.sample(list(data["colors"]), rng.choice([0, 0, 2, 4])):
        del data["colors"][color]
    for n in range(rng.choice([0, 0, 1, 4])):
        data["colors"][COLORS[n]] = {"letter": LETTERS[n]}
    for color in data["colors"].values():
        numbers(color, rng, cubes=(1, 40))
    data["map"] = table.text()


def vary_baltimore_ohio(data: Data, rng: Random) -> None:
    table, railroads, parts = vary_map(data, rng, "CX", "L10"), data["railroads"], data["components"]
    for railroad in railroads.values():
        railroad["start"] = table.now(railroad["start"])
        numbers(railroad, rng, cubes=(2, 30))
    for state in data["states"].values():
        state.update({name: [table.now(id) for id in state[name]] for name in ("must", "closed")})
    names = _vary_companies(data, rng)
    for state in data["states"].values():
        state["railroad"] = names[state["railroad"]]
        if rng.random() < 0.3:
            state["must"], state["closed"] = (rng.sample(list(data["cities"]), rng.randint(1, 4)) for _ in range(2))
    if rng.random() < 0.2:
        del data["states"]
    data["heavy_lines"] = [table.neighbours(rng)] if rng.random() < 0.5 else []
    data["options"]["timber_hex"] = [table.some(rng)]
    parts["money"] = rng.choices(range(100, 900), k=4)
    _vary_levels(data, rng)
    data["map"] = costs(table, rng, "", 10)


def _vary_companies(data: Data, rng: Random) -> dict[str, str]:
    railroads = data["railroads"]
    bound = {state["railroad"] for state in data["states"].values()}
    for name in rng.sample([name for name in railroads if name not in bound], rng.choice([0, 0, 3, 7])):
        del railroads[name]
    for letter in LETTERS[: rng.choice([0, 0, 2, 6])]:
        start, color = rng.choice(list(data["cities"])), rng.choice(COLORS)
        railroads[f"R{letter}"] = {
            "name": "Another one",
            "letter": letter,
            "color": color,
            "start": start,
            "cubes": 9,
            "from_tech": 1,
        }
    return rename(railroads, rng)


def _vary_levels(data: Data, rng: Random) -> None:
    """Fewer or more technology levels, cards and shares."""
    last, tech = rng.choice([2, 4, 6, 6, 8]), data["tech"]
    shares = data["components"]["shares"] = rng.choice([5, 10, 10])
    for level in range(1, last + 1):
        row = tech.setdefault(str(level), dict(tech["5"]))
        row.setdefault("initial", [82, 91, 100])
        numbers(row, rng, builds=(1, 7), city_limit=(1, 9), scrap=(0, 150))
        row["equipment"] = rng.choices(range(10, 600), k=rng.randint(1, 6))
        row["maintenance"], row["timber"] = (shares * rng.randint(0, 8) for _ in range(2))
    data["tech"] = {str(level): tech[str(level)] for level in range(1, last + 1)}
    del data["tech"][str(last)]["initial"]
    data["end"]["tech"] = last
    data["options"]["tech1_city_limit"] = [tech["1"]["city_limit"], 1]
    for city in data["cities"].values():
        city["income"] = [shares * rng.randint(0, 12) for _ in range(last)]
    for railroad in data["railroads"].values():
        railroad["from_tech"] = min(railroad["from_tech"], last - 1)


def vary_credit_mobilier(data: Data, rng: Random) -> None:
    rows, columns = rng.randint(1, 7), rng.randint(1, 9)
    data["map"] = _squares(rng, rows, columns)
    railways = data["railways"]
    for letter in LETTERS[: rng.choice([0, 0, 1, 3])]:
        railways[f"R{letter}"] = {"letter": letter}
    if rng.random() < 0.4:
        for name in rng.sample(["red", "yellow", "green", "blue"], 2):
            del railways[name]
    rename(railways, rng)
    colors = [*railways, data["construction"]["color"], data["dividends"]["color"]]
    data["dice"] = {"count": rng.randint(2, 5), "faces": [*colors, *rng.choices(colors, k=rng.randint(0, 2))]}
    least = -(-rows * columns // len(railways))
    numbers(data["components"], rng, pawns=(least, least + 5), shares=(5, 40))
    numbers(data["start"], rng, cash=(0, 9), shares=(0, 1))
    numbers(data["economy"], rng, track=(0, 5), goods=(0, 5), line=(0, 5), share=(1, 4))
    numbers(data["end"], rng, colors=(0, len(railways) - 1), turns=(50, 200))


def _squares(rng: Random, rows: int, columns: int) -> str:
    """Track symbols all over, some missing: the way west is whole in the first row, the way there in each column."""
    lines = [[str(n + 1) for n in range(columns)]]
    for row in range(rows):
        west = [row == 0 or rng.random() < 0.8 for _ in range(columns)]
        lines.append([chr(65 + row), *("--o" if way else "o" for way in west)])
        lines.append(["|"] * columns)
    return "\n".join(map(" ".join, lines[:-1]))


CHANGES: dict[str, Callable[[Data, Random], None]] = {
    "wabash": vary_wabash,
    "southern_rails": vary_southern_rails,
    "gmo": vary_gmo,
    "baltimore_ohio": vary_baltimore_ohio,
    "credit_mobilier": vary_credit_mobilier,
}


# The smallest boards


def smallest(key: str) -> str:
    """The text of a board of this title with hardly anything on it."""
    data = tomllib.loads(cuberails.load(key).board.text)
    data["name"] = "the smallest"
    data.pop("doubtful", None)
    REDUCTIONS[key](data)
    return to_toml(data)


def reduce_wabash(data: Data) -> None:
    """Two railroads and six hexes, of which none earns anything."""
    pa, wabash = data["railroads"]["PA"], data["railroads"]["Wabash"]
    data["map"] = "A B C\n0 S C1\n0 I2\n1 X1 F1\n1 T0\n"
    data["railroads"] = {"PA": pa | {"start": "A0"}, "Wabash": wabash | {"start": "C0"}}
    data["components"] |= {"initial_auctions": ["PA"], "grows_by_itself": "B0", "money": 1}
    incomes = {"A0": {}, "B0": {"track": [0, 0]}, "C0": {"income": [0, 0]}, "A1": {"income": [0]}}
    data["cities"] = {id: {"name": id, "name_sure": ""} | income for id, income in incomes.items()}


def reduce_southern_rails(data: Data) -> None:
    """Two hexes, and no kind of city that scores."""
    data["map"], data["cities"] = "A o Y", {"A2": {"name": "Atlanta", "from": ""}}
    for kind in data["kinds"].values():
        kind.pop("points", None)


def reduce_gmo(data: Data) -> None:
    """One railroad that has not the cubes, nor anybody the money, to reach the second city."""
    data["map"] = "A S o C ~"
    data["cities"] = {id: {"name": id, "state": "", "sure": "rulebook"} for id in ("A1", "A3")}
    data["railroads"] = {"SC": data["railroads"]["SC"] | {"homes": ["A1"]}}
    data["colors"] = {"green": {"letter": "G", "cubes": 1}}
    data["components"]["money"] = [0, 0, 0]


def reduce_baltimore_ohio(data: Data) -> None:
    """One railroad in one city."""
    data["map"], data["cities"] = "A C10", {"A0": {"name": "Baltimore", "income": [10] * len(data["tech"])}}
    data["heavy_lines"], data["options"]["timber_hex"] = [], ["A0"]
    data["railroads"] = {"B&O": data["railroads"]["B&O"] | {"start": "A0"}}
    del data["states"]


def reduce_credit_mobilier(data: Data) -> None:
    """One railway and one square."""
    data["map"], data["railways"] = "1\nA --o", {"red": {"letter": "R"}}
    data["components"]["pawns"], data["end"]["colors"] = 1, 0
    data["dice"] = {"count": 2, "faces": ["red", "purple", "orange"]}


REDUCTIONS: dict[str, Callable[[Data], None]] = {
    "wabash": reduce_wabash,
    "southern_rails": reduce_southern_rails,
    "gmo": reduce_gmo,
    "baltimore_ohio": reduce_baltimore_ohio,
    "credit_mobilier": reduce_credit_mobilier,
}
