"""Nothing scrolls for a decision: at the usual sizes of screens all that is needed to decide is in sight at once."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.serving import Server
from tests.browser.test_decide import open_moment

SIZES = [(1366, 700), (1440, 900), (1920, 1080)]
BESIDE = 1400
"""From this width on the log stands beside the table."""

MOMENTS = {
    "wabash": [("bid", 0), ("expand", 60), ("build", 60), ("develop", 100)],
    "southern_rails": [("take", 0), ("place", 60)],
    "gmo": [("bid", 0), ("build", 40), ("bid", 80)],
    "baltimore_ohio": [("start", 0), ("buy", 150), ("purchase", 150), ("build", 300)],
    "credit_mobilier": [("build", 0), ("move", 60)],
}
"""By title: a word that is legal there, and from which action on it is looked for."""

_SEEN = """() => {
    const inside = (node) => {
        const box = node.getBoundingClientRect();
        return box.width > 0 && box.top >= -1 && box.left >= -1 && box.bottom <= innerHeight + 1
            && box.right <= innerWidth + 1;
    };
    const shownIn = (place, node) => {
        const box = node.getBoundingClientRect(), frame = place.getBoundingClientRect();
        return box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    };
    const one = (css) => document.querySelector(css);
    const rows = [...document.querySelectorAll('#companies .company')].filter((row) => row.checkVisibility());
    const choices = [...document.querySelectorAll('#choices button, #choices input, #choices summary')]
        .filter((node) => node.checkVisibility());
    const top = (css) => Math.round(one(css).getBoundingClientRect().top);
    const first = rows.slice(0, 2);
    return {
        page: [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth],
        prompt: inside(one('#prompt')),
        board: inside(one('#viewport')) && one('#viewport').getBoundingClientRect().height > 300,
        choices: choices.length > 0 && choices.every((node) => inside(node) && shownIn(one('.decide'), node)),
        rows: first.length > 0 && first.every((row) => inside(row) && shownIn(one('#panel-table'), row)),
        beside: one('#companies').parentNode.scrollWidth - one('#companies').parentNode.clientWidth,
        log: inside(one('#panel-log')) && one('#companies').checkVisibility(),
        places: [top('#prompt'), top('#choices'), top('.tabs')],
    };
}"""


def seen(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(_SEEN)
    return found


@pytest.mark.parametrize("key", MOMENTS)
def test_what_is_needed_to_decide_is_in_sight_and_nothing_jumps(person: Opener, server: Server, key: str) -> None:
    page = person(*SIZES[0])
    problems: list[str] = []
    places: dict[int, set[tuple[int, ...]]] = {width: set() for width, _ in SIZES}
    for word, start in MOMENTS[key]:
        open_moment(page, server, key, word, start)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if width >= BESIDE:
                expect(page.locator("#panel-log")).to_be_visible()
            found = seen(page)
            places[width].add(tuple(found.pop("places")))
            wanted: dict[str, object] = dict.fromkeys(("prompt", "board", "choices", "rows"), True)
            wanted |= {"page": [0, 0], "beside": 0, **({"log": True} if width >= BESIDE else {})}
            problems += [f"{word} at {width}: {name} {found[name]}" for name in wanted if found[name] != wanted[name]]
    problems += [f"prompt, choices and tabs at {width} jump: {tops}" for width, tops in places.items() if len(tops) > 1]
    assert problems == []
