"""Tables without a server: their checks, their log, going back and forth, and who sits where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cuberails.core.game import Game
from cuberails.core.record import read_record
from cuberails.core.state import CHANCE, State
from cuberails.server.refusal import Refused
from cuberails.server.store import UNDO, StoredSeat
from cuberails.server.table import TABLE_BYTES, Table
from cuberails.server.writer import WriteFailed
from cuberails.titles import load
from tests.server.house import Hall, Still, act, answer, change_player, fail_writes, hall, opened, redo, undo, until
from tests.server.postgres import Postgres

Quiet = tuple[Hall, Still]


@pytest.fixture
def quiet(database: str) -> Iterator[Quiet]:
    """All of this holds on SQLite and on PostgreSQL."""
    with hall(database) as made:
        yield made


def look(table: Table) -> tuple[int, str, int]:
    """Everything that a refused request must leave alone."""
    return table.seq, table.game.to_text(), len(table.store.entries(table.id, 0))


def refused(table: Table, code: str, status: int, request: Callable[[], None]) -> None:
    before = look(table)
    with pytest.raises(Refused) as refusal:
        request()
    assert (refusal.value.code, refusal.value.status_code) == (code, status)
    assert look(table) == before


def play(table: Table, *texts: str) -> None:
    for text in texts:
        act(table, [table.actor], table.actor, table.seq, text)


# An action is accepted if and only if it is legal, for that seat, at that number


def test_a_legal_action_is_kept(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12")
    assert (table.seq, table.actor) == (1, 1)
    assert [entry.text for entry in table.store.entries(table.id, 0)] == ["bid 12"]


def test_an_accepted_action_is_parsed_once_and_applied_once(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(quiet[0])
    calls: list[str] = []
    for name in ("parse", "apply"):
        monkeypatch.setattr(State, name, counted(getattr(State, name), name, calls))
    play(table, "bid 12")
    assert calls == ["parse", "apply"]


def counted(method: Callable[..., object], name: str, calls: list[str]) -> Callable[..., object]:
    def call(*arguments: object) -> object:
        calls.append(name)
        return method(*arguments)

    return call


def test_refusals(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12")
    refused(table, "not_your_seat", 401, lambda: act(table, [0], 1, 1, "bid 13"))
    refused(table, "no_seat", 404, lambda: act(table, [0], 3, 1, "bid 13"))
    refused(table, "no_seat", 404, lambda: act(table, [-1], -1, 1, "bid 13"))
    refused(table, "done_already", 409, lambda: act(table, [0], 0, 0, "bid 12"))
    refused(table, "stale", 409, lambda: act(table, [0], 0, 0, "bid 13"))
    refused(table, "stale", 409, lambda: act(table, [1], 1, 2, "bid 13"))
    refused(table, "stale", 409, lambda: act(table, [1], 1, -1, "bid 13"))
    refused(table, "out_of_turn", 403, lambda: act(table, [0], 0, 1, "bid 13"))
    refused(table, "unknown", 400, lambda: act(table, [1], 1, 1, "fly to the moon"))
    refused(table, "illegal", 422, lambda: act(table, [1], 1, 1, "bid 12"))


def test_nothing_can_be_done_when_the_game_is_over(quiet: Quiet) -> None:
    game = read_record(Path("tests/records/wabash/3-players-greedy.txt").read_text(), load)
    table = quiet[0].open(game, [StoredSeat(name, key=name) for name in game.seats], "Ann")
    refused(table, "over", 409, lambda: act(table, [0], 0, 0, "pass"))
    assert quiet[0].store.unattended() == []


def test_of_two_clicks_at_once_one_wins(quiet: Quiet) -> None:
    table = opened(quiet[0])

    def click(text: str) -> int:
        try:
            act(table, [0], 0, 0, text)
        except Refused as refusal:
            return refusal.status_code
        return 200

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(click, [f"bid {n}" for n in range(10, 26)]))
    assert answers == [200] + [409] * 15
    assert table.seq == len(table.store.entries(table.id, 0)) == 1


def test_two_servers_on_one_file_never_both_win(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(quiet[0])
    with hall(quiet[0].store.url) as (other, _):
        twin = other.find(table.id)
        monkeypatch.setattr(other.tables.writer, "_on_change", lambda _: None)  # it has not heard of the other yet
        play(table, "bid 12")
        with pytest.raises(Refused, match="quicker"):
            act(twin, [0], 0, 0, "bid 30")
        assert twin.game.to_text() == table.game.to_text()
        play(twin, "bid 13")
        until(lambda: table.game.to_text() == twin.game.to_text())


def test_what_cannot_be_written_does_not_happen(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(quiet[0])
    fail_writes(monkeypatch)
    with pytest.raises(WriteFailed, match="database is locked"):
        play(table, "bid 12")
    monkeypatch.undo()
    assert look(table)[0] == look(table)[2] == 0
    play(table, "bid 13")
    assert look(table)[0] == look(table)[2] == 1


def test_a_table_is_read_again_as_it_was(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13", "pass")
    undo(table, [2], 2, 3, None)
    undo(table, [2], 2, 4, 0)
    with hall(quiet[0].store.url) as (other, _):
        twin = other.find(table.id)
        assert look(twin) == look(table)
        assert twin.history.counts == table.history.counts
        assert twin.history.pending_undo == table.history.pending_undo


def test_a_table_plays_on_by_its_own_rules_and_newer_ones_are_refused(
    quiet: Quiet, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = opened(quiet[0])
    monkeypatch.setattr(old.game.title, "rules_version", 2)
    new = opened(quiet[0])
    with hall(quiet[0].store.url) as (other, _):
        assert [other.find(table.id).state.rules_version for table in (old, new)] == [1, 2]
        play(other.find(old.id), "bid 12")
        assert other.find(old.id).question("hard").position().rules_version == 1
    monkeypatch.undo()
    with (
        hall(quiet[0].store.url) as (other, _),
        pytest.raises(Refused, match="rules version 2 of") as refusal,
    ):
        other.find(new.id)
    assert (refusal.value.status_code, refusal.value.code) == (410, "unreadable")


def test_many_tables_are_forgotten_and_found_again(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.tables.MOST_MEMORY", 2 * TABLE_BYTES)
    monkeypatch.setattr("cuberails.server.tables.FAIR_PART", 1)
    tables = [opened(quiet[0]) for _ in range(4)]
    assert len(quiet[0].tables._live) == 2
    kept = quiet[0].find(tables[0].id)
    assert kept is tables[0]  # somebody held it
    first = tables[0].id
    del tables[0], kept
    opened(quiet[0])
    assert quiet[0].find(first).game.seats == ["Ann", "Bob", "Cy"]


def test_a_host_of_many_tables_has_the_own_ones_forgotten_first(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.tables.MOST_MEMORY", 8 * TABLE_BYTES)
    tables, game = quiet[0], Game(load("wabash").board, ["Ann", "Bob"])
    hosts = ["Bob", *["Ann"] * 6, "Cy"]
    ids = [tables.open(game.fork(), [StoredSeat("Ann"), StoredSeat("Bob")], host).id for host in hosts]
    live = tables.tables._live
    assert [ids.index(id) for id in live] == [0, 5, 6, 7], "of Ann's only those that were opened last"
    watched = tables.watch(ids[5], lambda: None)
    for _ in range(3):
        tables.open(game.fork(), [StoredSeat("Ann"), StoredSeat("Bob")], "Ann")
    assert live[ids[5]] is watched, "somebody follows it"
    assert ids[0] in live


# Undo: free while no dice were rolled and no other seat has acted; otherwise the others are asked


def test_own_steps_are_taken_back_freely(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12")
    undo(table, [0], 0, 1, None)
    assert (len(table.game.steps), table.actor, table.seq) == (0, 0, 2)
    refused(table, "nothing", 422, lambda: undo(table, [0], 0, 2, None))
    refused(table, "nothing", 422, lambda: undo(table, [0], 0, 2, 0))
    refused(table, "nothing", 422, lambda: undo(table, [0], 0, 2, -1))
    refused(table, "nothing", 422, lambda: undo(table, [0], 0, 2, 10**9))
    refused(table, "stale", 409, lambda: undo(table, [0], 0, 1, 0))
    refused(table, "not_your_seat", 401, lambda: undo(table, [0], 1, 2, 0))


def test_the_others_are_asked_and_all_must_agree(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13")
    undo(table, [0], 0, 2, None)
    assert table.history.pending_undo is not None
    assert (table.history.pending_undo.to, table.history.pending_undo.asked, len(table.game.steps)) == (0, {1, 2}, 2)
    refused(table, "nothing_asked", 409, lambda: answer(table, [0], 0, 3, True))
    answer(table, [1], 1, 3, True)
    refused(table, "nothing_asked", 409, lambda: answer(table, [1], 1, 4, True))
    assert len(table.game.steps) == 2
    answer(table, [2], 2, 4, True)
    assert len(table.game.steps) == 0
    assert table.history.log[-1].kind == UNDO


def test_who_has_two_seats_agrees_once(quiet: Quiet) -> None:
    table = opened(quiet[0], "....")
    play(table, "bid 12", "bid 13")
    undo(table, [0], 0, 2, None)
    answer(table, [1, 2], 1, 3, True)
    answer(table, [3], 3, 4, True)
    assert len(table.game.steps) == 0


def test_one_no_is_enough_and_the_asker_can_withdraw(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13")
    for seat in (1, 0):
        undo(table, [0], 0, table.seq, None)
        answer(table, [seat], seat, table.seq, False)
        assert (len(table.game.steps), table.history.pending_undo) == (2, None)
    refused(table, "nothing_asked", 409, lambda: answer(table, [1], 1, table.seq, True))


def test_whoever_acts_goes_on_and_the_question_is_forgotten(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13")
    undo(table, [0], 0, 2, None)
    play(table, "bid 14")
    assert (len(table.game.steps), table.history.pending_undo) == (3, None)


def test_bots_agree_and_empty_seats_too(quiet: Quiet) -> None:
    table = opened(quiet[0], ".bb")
    play(table, "bid 12")
    quiet[0].drive(table)
    quiet[1].asked[-1][1]("bid 13")
    until(lambda: table.seq == 2)
    undo(table, [0], 0, 2, None)
    assert len(table.game.steps) == 0


def test_dice_are_not_taken_back_without_asking(quiet: Quiet) -> None:
    table = opened(quiet[0], title="credit_mobilier", bots="..")
    play(table, table.state.legal_actions()[-1].text)
    while table.game.steps[-1].seat != CHANCE:
        play(table, table.state.legal_actions()[-1].text)
    before = max(n for n, step in enumerate(table.game.steps) if step.seat != CHANCE)
    seat = table.game.steps[before].seat
    undo(table, [seat], seat, table.seq, None)
    assert table.history.pending_undo is not None
    answer(table, [1 - seat], 1 - seat, table.seq, True)
    assert (len(table.game.steps), table.actor) == (before, seat)


def test_back_to_a_roll_means_back_to_the_decision_before(quiet: Quiet) -> None:
    table = opened(quiet[0], title="credit_mobilier", bots="..")
    for _ in range(40):
        play(table, table.state.legal_actions()[-1].text)
    rolled = max(n for n, step in enumerate(table.game.steps) if step.seat == CHANCE)
    undo(table, [0, 1], 0, table.seq, rolled)
    assert table.actor != CHANCE
    assert len(table.game.steps) < rolled


def test_the_dice_that_open_a_game_stay_as_they_fell(quiet: Quiet) -> None:
    table = opened(quiet[0], title="credit_mobilier", bots="..")
    first = table.seq
    assert first > 0
    drawn = table.game.to_text()
    play(table, table.state.legal_actions()[-1].text)
    undo(table, [0, 1], 0, table.seq, 0)
    assert (table.game.to_text(), table.actor) == (drawn, 0)
    refused(table, "nothing", 422, lambda: undo(table, [0, 1], 0, table.seq, 0))


# Redo


def test_redo_does_not_stop_where_dice_decide(quiet: Quiet) -> None:
    table = opened(quiet[0], title="credit_mobilier", bots="..")
    for _ in range(40):
        play(table, table.state.legal_actions()[-1].text)
    rolled = max(n for n, step in enumerate(table.game.steps) if step.seat == CHANCE)
    undo(table, [0, 1], 0, table.seq, rolled)
    redo(table, [0, 1], 0, table.seq, rolled)
    assert (table.game.steps[rolled].seat, table.actor >= 0) == (CHANCE, True)


def test_a_host_cannot_take_back_what_a_person_did_by_giving_the_seat_to_a_bot(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13", "bid 14")
    for seat in (1, 2):
        change_player(table, "Ann", seat, "greedy")
    undo(table, [0], 0, table.seq, 0)
    assert len(table.game.steps) == 3
    assert table.history.pending_undo is not None
    assert table.history.pending_undo.asked == {1, 2}
    refused(table, "not_your_seat", 401, lambda: answer(table, [0], 1, table.seq, True))
    answer(table, [1], 1, table.seq, True)  # though a bot plays there now
    assert len(table.game.steps) == 3
    answer(table, [2], 2, table.seq, True)
    assert len(table.game.steps) == 0


def test_a_host_cannot_roll_again_by_giving_the_seats_of_others_to_bots(quiet: Quiet) -> None:
    table = opened(quiet[0], title="credit_mobilier", bots="..")
    while not table.game.steps or table.game.steps[-1].seat != CHANCE or table.game.steps[-2].seat != 0:
        play(table, table.state.legal_actions()[-1].text)
    change_player(table, "Ann", 1, "greedy")
    undo(table, [0], 0, table.seq, None)
    assert table.history.pending_undo is not None


def test_what_a_bot_did_for_somebody_who_has_left_is_taken_back_freely(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables)
    play(table, "bid 12")
    change_player(table, "Ann", 1, "greedy")
    change_player(table, "Ann", 2, "greedy")
    tables.drive(table)
    still.asked[0][1]("pass")
    until(lambda: len(still.asked) == 2)
    still.asked[1][1]("bid 13")
    until(lambda: table.actor == 0)
    before = len(table.game.steps)
    play(table, "bid 14")
    tables.drive(table)
    still.asked[2][1]("bid 15")
    until(lambda: table.actor == 0)
    undo(table, [0], 0, table.seq, before)
    assert (len(table.game.steps), table.history.pending_undo) == (before, None)


def test_nobody_plays_again_what_a_person_did_by_giving_the_seat_to_a_bot(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13", "bid 14")
    undo(table, [0, 1, 2], 0, 3, 0)
    change_player(table, "Ann", 1, "greedy")
    refused(table, "not_your_move", 403, lambda: redo(table, [0], 0, table.seq, 2))


def test_no_table_grows_without_end(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.acceptance.MOST_ACTIONS", 2)
    monkeypatch.setattr("cuberails.server.acceptance.MOST_ENTRIES", 5)
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13")
    refused(table, "too_long", 422, lambda: play(table, "bid 14"))
    undo(table, [0, 1, 2], 0, 2, 0)
    redo(table, [0, 1, 2], 0, 3, 2)
    change_player(table, "Ann", 1, "greedy")
    refused(table, "too_long", 422, lambda: undo(table, [0, 1, 2], 0, 5, 0))
    refused(table, "too_long", 422, lambda: change_player(table, "Ann", 1, ""))


def test_redo_plays_again_what_was_taken_back(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12")
    text = table.game.to_text()
    undo(table, [0], 0, 1, None)
    redo(table, [0], 0, 2, None)
    assert table.game.to_text() == text
    refused(table, "nothing", 422, lambda: redo(table, [0], 0, 3, None))
    refused(table, "nothing", 422, lambda: redo(table, [0], 0, 3, 5))


def test_redo_ends_with_a_new_action(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13")
    undo(table, [0, 1, 2], 0, 2, 0)
    play(table, "bid 20")
    refused(table, "nothing", 422, lambda: redo(table, [0, 1, 2], 0, 4, None))


def test_nobody_plays_again_for_another_person(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12", "bid 13")
    undo(table, [0, 1, 2], 0, 2, 0)
    refused(table, "not_your_move", 403, lambda: redo(table, [0], 0, 3, 2))
    redo(table, [0], 0, 3, 1)
    refused(table, "not_your_move", 403, lambda: redo(table, [0], 0, 4, None))
    redo(table, [1], 1, 4, None)
    assert len(table.game.steps) == 2


# What viewers see


def test_a_scene_is_of_the_line_that_was_played(quiet: Quiet) -> None:
    table = opened(quiet[0])
    play(table, "bid 12")
    first = table.scenes.after(1)
    undo(table, [0], 0, 1, None)
    play(table, "bid 20")
    assert "$13" in first.prompt
    assert "$21" in table.scenes.after(1).prompt
    assert table.scenes.at(1) == first
    assert table.history.unchanged_since(1) == 0


def test_watchers_are_woken_after_it_is_stored(quiet: Quiet) -> None:
    table = opened(quiet[0])
    seen: list[int] = []
    table.watchers.add(lambda: seen.append(len(table.store.entries(table.id, 0))))
    play(table, "bid 12", "bid 13")
    assert seen == [1, 2]


# Bots, and who sits where


def test_a_bot_is_asked_once_and_answers(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables, "b..")
    tables.drive(table)
    tables.visit(table.id)
    assert len(still.asked) == 1
    assert table.thinking
    still.asked[0][1]("bid 9")
    until(lambda: table.seq == 1)
    assert not table.thinking


def test_what_a_bot_thought_about_another_position_is_forgotten(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables, ".b.")
    play(table, "bid 12")
    tables.drive(table)
    undo(table, [0], 0, 1, None)
    play(table, "bid 20")
    tables.drive(table)
    still.asked[0][1]("bid 13")
    still.asked[1][1]("bid 21")
    until(lambda: table.seq == 4)
    assert [step.action.text for step in table.game.steps] == ["bid 20", "bid 21"]


def test_bots_wait_while_people_discuss_whether_to_go_back(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables, "..b")
    play(table, "bid 12", "bid 13")
    undo(table, [0], 0, 2, None)
    tables.drive(table)
    assert not still.asked
    answer(table, [1], 1, 3, False)
    tables.drive(table)
    assert len(still.asked) == 1


def test_the_host_replaces_a_person_by_a_bot_and_back(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables)
    refused(table, "not_host", 403, lambda: change_player(table, "Bob", 0, "greedy"))
    refused(table, "no_seat", 404, lambda: change_player(table, "Ann", 7, "greedy"))
    change_player(table, "Ann", 0, "greedy")
    tables.drive(table)
    refused(table, "bot_plays", 403, lambda: act(table, [0], 0, 1, "bid 12"))
    change_player(table, "Ann", 0, "")
    still.asked[0][1]("bid 9")  # too late
    play(table, "bid 12")
    assert [step.action.text for step in table.game.steps] == ["bid 12"]
    change_player(table, "Ann", 1, "random")
    with hall(quiet[0].store.url) as (other, _):
        assert [seat.bot for seat in other.find(table.id).seats] == ["", "random", ""]
        assert other.store.unattended() == [table.id]


def test_a_seat_is_handed_only_to_somebody(quiet: Quiet) -> None:
    table = opened(quiet[0], ".b.")
    refused(table, "nobody_there", 422, lambda: change_player(table, "Ann", 1, ""))


def test_a_bot_whose_action_cannot_be_written_tries_again(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, still = quiet
    monkeypatch.setattr("cuberails.server.driver.RETRY_AFTER", 0.05)
    table = opened(tables, "b..")
    fail_writes(monkeypatch)
    still.asked[0][1]("bid 9")
    until(lambda: len(still.asked) == 2)
    monkeypatch.undo()
    still.asked[1][1]("bid 9")
    until(lambda: table.seq == 1)


def test_a_position_is_thought_about_once_for_all_who_want_advice(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables)
    first = tables.advice(table)
    assert tables.advice(table) is first
    first.set_exception(RuntimeError("no idea"))
    assert tables.advice(table) is not first  # next time there may be one
    play(table, "bid 12")
    tables.advice(table)
    assert [len(question.actions) for question, _ in still.advised] == [0, 0, 1]


def test_how_far_a_bot_is_concerns_everybody_and_a_hint_only_its_seat(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables, ".b.")
    assert tables.driver.progress(table, [0]) is None
    woken: list[int] = []
    table.watchers.add(lambda: woken.append(table.seq))
    tables.advice(table)
    still.far[still.advised[-1][0]] = 0.25
    assert woken == [0]
    assert [tables.driver.progress(table, seats) for seats in ([0], [1, 2], [])] == [0.25, None, None]
    play(table, "bid 12")
    assert tables.driver.progress(table, [0]) is None  # that hint is for a position that is gone
    tables.drive(table)
    still.far[still.asked[-1][0]] = 0.5
    assert [tables.driver.progress(table, seats) for seats in ([0], [])] == [0.5, 0.5]
    assert woken == [0, 1, 1]


def test_bots_among_themselves_do_not_play_for_ever_unseen(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, still = quiet
    table, mixed = opened(tables, "bbb"), opened(tables, ".bb")
    still.asked.clear()
    monkeypatch.setattr(type(table.state), "too_long", True)
    table.bot_work.asked_at = -1
    tables.visit(table.id)
    assert not still.asked
    play(mixed, "bid 12")
    tables.visit(mixed.id)
    assert len(still.asked) == 1  # somebody waits for these
    tables.watch(table.id, lambda: None)
    assert len(still.asked) == 2


def test_the_same_bot_need_not_sit_down_twice(quiet: Quiet) -> None:
    table = opened(quiet[0])
    for _ in range(2):
        change_player(table, "Ann", 1, "random")
    assert table.seq == 1


# Viewers, and other processes


def test_viewers_see_what_other_processes_did(quiet: Quiet) -> None:
    table, unseen = opened(quiet[0], "..b"), opened(quiet[0])
    with hall(quiet[0].store.url) as (other, still):
        woken: list[int] = []
        other.find(unseen.id)
        twin = other.watch(table.id, lambda: woken.append(twin.seq))
        play(table, "bid 12", "bid 13")
        until(lambda: len(still.asked) == 1)  # bots go on even if the other process has ended
        assert woken[-2:] == [2, 2]  # what was done, and that a bot begins to think


def test_nothing_is_read_where_no_other_process_wrote(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(quiet[0])
    play(table, "bid 12")
    for name in ("table", "entries", "claims", "newest"):
        monkeypatch.setattr(quiet[0].store, name, None)
    play(table, "bid 13", "bid 14")
    assert quiet[0].find(table.id).seq == 3


def test_a_table_that_was_forgotten_is_the_same_for_those_who_still_have_it(quiet: Quiet) -> None:
    tables, _ = quiet
    table = opened(tables)
    tables.tables._live.clear()
    woken: list[str] = []
    assert tables.watch(table.id, lambda: woken.append("news")) is table
    play(table, "bid 12")
    assert woken == ["news"]


def test_after_a_restart_bots_are_asked_again(database: str) -> None:
    with hall(database) as (tables, _):
        opened(tables, "b..")
        opened(tables, "...")
    with hall(database) as (other, still):
        other.resume_bots()
        assert len(still.asked) == 1


def test_bots_of_a_table_think_once_wherever_people_are(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.driver.RETRY_AFTER", 0.05)
    database = postgres.new_database()
    with hall(database) as (there, theirs):
        with hall(database) as (here, ours):
            table = opened(here, "bb.")
            there.watch(table.id, lambda: None)
            assert (len(ours.asked), len(theirs.asked)) == (1, 0)
            ours.asked[0][1]("bid 9")
            until(lambda: len(ours.asked) + len(theirs.asked) == 2)
            until(lambda: there.find(table.id).seq == 1)
            assert len(ours.asked) + len(theirs.asked) == 2
        until(lambda: len(theirs.asked) == 1)  # the other process has ended, and its bots with it


@pytest.mark.parametrize("id", ["\0", "a\0b", "\ud800", "é", "x" * 40, "' or 1=1 --"])
def test_what_is_no_id_is_the_id_of_no_table(quiet: Quiet, id: str) -> None:
    with pytest.raises(Refused) as refusal:
        quiet[0].find(id)
    assert refusal.value.status_code == 404
