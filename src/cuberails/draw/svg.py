"""A whole scene as one SVG picture: a printed sheet with the map, the players, the railroads and the tracks."""

from __future__ import annotations

from typing import Final

from cuberails.core.scene import Scene
from cuberails.draw.board import board, legend
from cuberails.draw.palette import ACCENT, AIM, BEYOND, CARD, GOLD, INK, LINE, MUTED, PAPER
from cuberails.draw.panels import LOW, companies, dice, facts, heading, progress, prompt, seat, section, sheet, track
from cuberails.draw.pen import Block, at, element, flow, num, stack, supplies

_SERIF: Final = "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua',P052,Georgia,'Liberation Serif',serif"
_SANS: Final = "'Gill Sans','Gill Sans MT',Avenir,'Segoe UI','Helvetica Neue',Roboto,'Liberation Sans',sans-serif"

STYLE: Final = f"""
.cuberails{{background:{PAPER};font-family:{_SERIF};font-size:13px;font-variant-numeric:lining-nums;fill:{INK}}}
.cuberails .neatline{{fill:none;stroke:{MUTED};stroke-width:1.2}}
.cuberails .hairline{{fill:none;stroke:{MUTED};stroke-width:.5}}
.cuberails .coast{{fill:none;stroke:{MUTED};stroke-width:3.4;stroke-linejoin:round}}
.cuberails .area{{font-size:13px;letter-spacing:1.6px;text-anchor:middle;fill:{MUTED}}}
.cuberails .border{{stroke:{MUTED};stroke-width:1}}
.cuberails .way{{fill:none;stroke:{MUTED};stroke-width:1.2;stroke-dasharray:3 3}}
.cuberails .bed{{fill:none;stroke-width:9}}
.cuberails .ties{{fill:none;stroke:#fff;stroke-opacity:.55;stroke-width:6;stroke-dasharray:2 4}}
.cuberails .halo{{paint-order:stroke;stroke:{BEYOND};stroke-width:3}}
.cuberails .barrier{{fill:none;stroke:{INK};stroke-width:4.5;stroke-linecap:round}}
.cuberails .shore{{fill:none;stroke:{LINE};stroke-width:2.4;stroke-linejoin:round}}
.cuberails .hex{{stroke:#ab9e85;stroke-width:.7}}
.cuberails .glyph{{fill:none;stroke:{MUTED};stroke-linecap:round;stroke-linejoin:round;opacity:.45}}
.cuberails .aim{{fill:#fff;fill-opacity:.5;stroke:{AIM};stroke-width:2.6}}
.cuberails .room{{fill:#fff;fill-opacity:.35;stroke:{MUTED};stroke-width:.7;stroke-dasharray:2 1.5}}
.cuberails .home{{fill:none;stroke-width:3}}
.cuberails .edge{{stroke-width:.6;stroke-linejoin:round}}
.cuberails .dot{{stroke:{INK};stroke-width:.6}}
.cuberails .id{{font:6.8px {_SANS};fill:{MUTED};text-anchor:middle}}
.cuberails .name{{font-weight:600;text-anchor:middle}}
.cuberails .cost{{font-size:10px;text-anchor:middle}}
.cuberails .income{{font-size:10px;text-anchor:middle}}
.cuberails .now{{font-size:11.5px;font-weight:700;text-anchor:middle}}
.cuberails .then{{font-size:8px;fill:{MUTED}}}
.cuberails .row .then{{font-size:7.5px}}
.cuberails .row .now{{font-size:10.5px}}
.cuberails .low{{font-size:8.5px}}
.cuberails .doubt{{font-size:11px;font-style:italic;fill:{ACCENT};text-anchor:middle}}
.cuberails .flag{{font-family:{_SANS};font-weight:600;text-anchor:middle}}
.cuberails .letter{{font-family:{_SANS};font-weight:600;text-anchor:middle}}
.cuberails .title{{font-size:30px;letter-spacing:.3px}}
.cuberails .note{{font-style:italic;fill:{MUTED}}}
.cuberails .prompt{{font-size:17px}}
.cuberails .section{{font-size:13px;letter-spacing:1.6px;fill:{MUTED}}}
.cuberails .rule{{stroke:{INK};stroke-width:.8}}
.cuberails .hair{{stroke:{LINE};stroke-width:.8}}
.cuberails .sheet{{fill:{CARD};stroke:{LINE};stroke-width:.8}}
.cuberails .bar{{fill:{LINE}}}
.cuberails .turn .bar,.cuberails .call .bar{{fill:{ACCENT}}}
.cuberails .turn .sheet,.cuberails .call .sheet{{fill:#fff;stroke:{ACCENT}}}
.cuberails .winner .bar{{fill:{GOLD}}}
.cuberails .winner .sheet{{fill:#fbf1d3;stroke:{GOLD}}}
.cuberails .person{{font-size:16px;font-weight:600}}
.cuberails .value{{font-size:16px;font-weight:600}}
.cuberails .small{{font-size:12px;fill:{MUTED}}}
.cuberails .strong{{fill:{INK}}}
.cuberails .accent{{fill:{ACCENT}}}
.cuberails .gold{{fill:#7d5a12;font-weight:600}}
.cuberails .strongest{{font-weight:700}}
.cuberails .paper{{fill:#fff;stroke-width:.8}}
.cuberails .count{{font-size:13px;text-anchor:middle}}
.cuberails .label{{font-size:11px;fill:{MUTED};text-anchor:middle}}
.cuberails .figure{{text-anchor:middle}}
.cuberails .railroad{{font-weight:600}}
.cuberails .remark{{font-size:11.5px;font-style:italic;fill:{ACCENT}}}
.cuberails .caption{{font-size:12.5px;fill:{MUTED}}}
.cuberails .box{{fill:{CARD};stroke:{LINE};stroke-width:.8}}
.cuberails .taken{{fill:#fff}}
.cuberails .mark{{font-size:11px;fill:{MUTED};text-anchor:middle}}
.cuberails .number{{font-size:26px}}
.cuberails .said{{font-size:13px}}
.cuberails .end{{text-anchor:end}}
.cuberails .start{{text-anchor:start}}
.cuberails.narrow .id,.cuberails.narrow .then{{display:none}}
.cuberails.narrow .cost,.cuberails.narrow .now{{font-size:15px}}
.cuberails.narrow .row .now{{font-size:12px}}
.cuberails.narrow .low{{font-size:10px}}
"""


def svg(scene: Scene, narrow: bool = False) -> str:
    """The scene as a standalone SVG: a wide sheet for a desk or a wall, or one column for a phone."""
    page = _column(scene) if narrow else _sheet(scene)
    body = element("style", STYLE) + supplies()
    body += element("rect", width=page.width, height=page.height, fill=PAPER) + page.body
    return element(
        "svg",
        body,
        xmlns="http://www.w3.org/2000/svg",
        cls="cuberails narrow" if narrow else "cuberails",
        role="img",
        aria_label=f"{scene.title}. {scene.prompt}",
        viewBox=f"0 0 {num(page.width)} {num(page.height)}",
        width=page.width,
        height=page.height,
    )


def _sheet(scene: Scene) -> Block:
    """The map with the players and railroads on its right, the tracks under the map or along the foot."""
    left = stack([heading(scene.title, scene.note, 976), *_map(scene, 976)], 12)
    right = stack([*_now(scene, 392), *_people(scene, 392)], 20)
    under_the_map = _beside(stack([left, *_tracks(scene, 976)], 18), right)
    along_the_foot = stack([_beside(left, right), *_tracks(scene, 1392)], 18)
    return _framed(min(under_the_map, along_the_foot, key=lambda page: page.height), 24)


def _beside(left: Block, right: Block) -> Block:
    return Block(1392, max(left.height, right.height), left.body + at(1000, 0, right.body))


def _column(scene: Scene) -> Block:
    """Everything in one column, what matters most first."""
    width = 366.0
    top = [heading(scene.title, scene.note, width), *_now(scene, width)]
    return _framed(stack([*top, *_map(scene, width), *_people(scene, width), *_tracks(scene, width)], 18), 12)


def _map(scene: Scene, width: float) -> list[Block]:
    return [board(scene.map, width), legend(scene.map, width)] if scene.map.tiles else []


def _now(scene: Scene, width: float) -> list[Block]:
    return [prompt(scene.prompt, width), *([dice(scene.dice, width)] if scene.dice else [])]


def _people(scene: Scene, width: float) -> list[Block]:
    players = [section("Players", [seat(who, width) for who in scene.seats], 6)] if scene.seats else []
    railroads = [companies(scene.companies, width)] if scene.companies else []
    goals = [progress(scene.progress, width)] if scene.progress else []
    return players + goals + [section("Railroads (▲ leads, = ties)", [each], 0) for each in railroads]


def _tracks(scene: Scene, width: float) -> list[Block]:
    """Long tracks each on their own, short ones side by side."""
    drawn = [track(row, width) for row in scene.tracks]
    long = [block for block in drawn if block.width > 0.9 * width or block.height > LOW]
    short = [block for block in drawn if block not in long]
    extra = [facts(scene.facts, width)] if scene.facts else []
    extra += [sheet(each, width) for each in scene.sheets if each.rows]
    return [*long, flow(short + extra, width, 28)] if short + extra else long


def _framed(page: Block, margin: float) -> Block:
    return Block(page.width + 2 * margin, page.height + 2 * margin, at(margin, margin, page.body))
