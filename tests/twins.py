"""Small made-up twins of the real data sets: files of the same formats, names and places, with texts of ours.

What a test says of a format or of a way through the program holds for any text. Where the real data is there, the same
tests read it; tests of published numbers have no twin.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from html import escape
from pathlib import Path

import pytest
from PIL import Image

WORDS = (
    *("Bäcker", "Müller", "l'Étoile", "rue", "du", "Marché,", "12.", "négociant", "en", "toiles,", "St-Jean,", "17"),
    *("Fils,", "(Joseph),", "horloger", "d’art", "—", "veuve", "&", "Cie,", "Bd.", "de", "l’Œuvre,", "huile,", "3–5."),
)
CONFUSIONS = {"e": "c", "u": "ü", "l": "1", "a": "", "t": "tt", "é": "e", ",": ".", "’": "'", " ": ""}
SYSTEMS = {"pero": 0.01, "tesseract4": 0.06, "kraken": 0.1}
BOOKS = ("Almanach_1804", "Annuaire_1811", "Bottin_1823", "Guide_1830", "Guide_1842", "Index_1850")


def misread_text(draw: random.Random, text: str, share: float) -> str:
    """The text as a system reads it that confuses a share of the letters which it may confuse."""
    return "".join(CONFUSIONS.get(sign, sign) if draw.random() < 4 * share else sign for sign in text)


def write_directories(folder: Path, entries: int = 600) -> None:
    """Entries of directories with the outputs of three systems, a few of which are empty."""
    draw = random.Random(22)  # noqa: S311  texts, not secrets
    lines = []
    for number in range(entries):
        reference = " ".join(draw.choices(WORDS, k=draw.randint(2, 9)))
        outputs = {system: misread_text(draw, reference, share) for system, share in SYSTEMS.items()}
        if number % 149 == 7:
            outputs["kraken"] = ""
        book = BOOKS[number * len(BOOKS) // entries]
        lines.append({"book": book, "page": number // 40, "id": number, "ref": reference, **outputs})
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (folder / "entries.jsonl").write_text(text, encoding="utf-8")


# Who says what in two recordings: of 92 words two are wrong, one turn is given to somebody else, one loses words.
PLAN = "the second draft was sent to all of you last week and we got four answers"
NUMBER = "Then who pays for the new ovens"
LATER = "Anna will say that at noon again"
FLOUR = "Please order more rye flour before the mill shuts down for two weeks in August"
HEARD = "Please order flour before the mill shuts down"
LONG = (
    "My own view is that a small shop like ours should bake less and sell it all, so that nobody goes home late and "
    "nothing is ever left over at night"
)
TURNS = (
    ("recordingA", "Alice", 0, 1, f"{PLAN} back"),
    ("recordingA", "Bob", 1, 2, NUMBER),
    ("recordingA", "Alice", 2, 3, LATER),
    ("recordingB", "Alice", 3, 4, FLOUR),
    ("recordingB", "Alice", 4, 5, FLOUR),
    ("recordingA", "Alice", 5, 6, LONG),
)
HEARD_TURNS = (
    ("recordingA", "Alice", 0, 1, f"{PLAN.replace('draft', 'raft').replace('four', 'for')} back"),
    ("recordingA", "Bob", 1, 2.5, NUMBER),
    ("recordingA", "Alice", 2.1, 3, LATER),
    ("recordingB", "Bob", 3.2, 4.6, FLOUR),
    ("recordingB", "Alice", 4, 5, HEARD),
    ("recordingA", "Alice", 5, 6, LONG),
)


def write_speakers(folder: Path) -> None:
    """Recordings of two speakers as STM, SegLST and CTM."""
    for side, turns in (("ref", TURNS), ("hyp", HEARD_TURNS)):
        lines = (f"{name} 1 {speaker} {start} {end} {text}\n" for name, speaker, start, end, text in turns)
        (folder / f"{side}.stm").write_text("".join(lines), encoding="utf-8")
        keys = ("session_id", "speaker", "start_time", "end_time", "words")
        entries = [dict(zip(keys, map(str, turn), strict=True)) for turn in turns]
        (folder / f"{side}.seglst.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")
    words = [(turn[0], word) for turn in HEARD_TURNS for word in turn[4].split()]
    lines = (f"{name} 1 {second} 0.5 {word}\n" for second, (name, word) in enumerate(words))
    (folder / "hyp1.ctm").write_text("".join(lines), encoding="utf-8")


def write_register(folder: Path, pages: int = 12, lines: int = 8) -> None:
    """Pages of a register as images, PAGE-XML and ALTO, and six lines of each as images with their texts."""
    draw = random.Random(58)  # noqa: S311  texts, not secrets
    for name in ("page_xml", "alto_xml", "lines", "pages"):
        (folder / name).mkdir()
    for number in range(pages):
        name = f"PH 1858-{number + 17}"
        texts = [" ".join(draw.choices(WORDS, k=draw.randint(3, 6))) for _ in range(lines)]
        boxes = [(20, 30 + 40 * row, 300 + 10 * (row % 3), 60 + 40 * row) for row in range(lines)]
        Image.new("L", (400, 60 + 40 * lines), 255).save(folder / f"pages/{name}.jpg")
        (folder / f"page_xml/{name}.xml").write_text(page_xml(f"{name}.jpg", texts, boxes), encoding="utf-8")
        (folder / f"alto_xml/{name}.xml").write_text(alto_xml(f"{name}.jpg", texts, boxes), encoding="utf-8")
        for row, (text, (left, top, right, bottom)) in enumerate(list(zip(texts, boxes, strict=True))[:6], start=1):
            Image.new("L", (right - left, bottom - top), 255).save(folder / f"lines/{name}_l{row:02}.png")
            (folder / f"lines/{name}_l{row:02}.gt.txt").write_text(f"{text}\n", encoding="utf-8")


Box = tuple[int, int, int, int]


def corners(box: Box) -> list[tuple[int, int]]:
    left, top, right, bottom = box
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def page_xml(image: str, texts: Sequence[str], boxes: Sequence[Box]) -> str:
    """PAGE-XML of one region."""
    lines = "".join(
        f'<TextLine id="r1l{row}"><Coords points="{" ".join(f"{x},{y}" for x, y in corners(box))}"/>'
        f"<TextEquiv><Unicode>{escape(text)}</Unicode></TextEquiv></TextLine>\n"
        for row, (text, box) in enumerate(zip(texts, boxes, strict=True), start=1)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">\n'
        f'<Page imageFilename="{image}" imageWidth="400" imageHeight="{60 + 40 * len(texts)}">\n'
        f'<TextRegion id="r1">\n{lines}</TextRegion>\n</Page>\n</PcGts>\n'
    )


def alto_xml(image: str, texts: Sequence[str], boxes: Sequence[Box]) -> str:
    """ALTO of one block, each line of which is one string."""
    lines = "".join(
        f'<TextLine ID="r1l{row}" {place(box)}>'
        f'<Shape><Polygon POINTS="{" ".join(f"{x} {y}" for x, y in corners(box))}"/></Shape>'
        f'<String CONTENT="{escape(text)}" {place(box)}/></TextLine>\n'
        for row, (text, box) in enumerate(zip(texts, boxes, strict=True), start=1)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">\n'
        "<Description><MeasurementUnit>pixel</MeasurementUnit>"
        f"<sourceImageInformation><fileName>{image}</fileName></sourceImageInformation></Description>\n"
        f'<Layout><Page ID="p1" WIDTH="400" HEIGHT="{60 + 40 * len(texts)}" PHYSICAL_IMG_NR="1"><PrintSpace>\n'
        f'<TextBlock ID="r1">\n{lines}</TextBlock>\n</PrintSpace></Page></Layout>\n</alto>\n'
    )


def place(box: Box) -> str:
    left, top, right, bottom = box
    return f'HPOS="{left}" VPOS="{top}" WIDTH="{right - left}" HEIGHT="{bottom - top}"'


HYPHENATED = """\
<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v2#"><Layout><Page ID="p1"><PrintSpace>
<TextBlock ID="b1"><TextLine>
<String CONTENT="Die" /><SP/><String CONTENT="Bäcke" SUBS_TYPE="HypPart1" SUBS_CONTENT="Bäckerei"/><HYP CONTENT="-"/>
</TextLine><TextLine>
<String CONTENT="rei" SUBS_TYPE="HypPart2" SUBS_CONTENT="Bäckerei"/><SP/><String CONTENT="öffnet"/>
</TextLine></TextBlock>
<TextBlock ID="b2"><TextLine><String CONTENT="um"/><SP/><String CONTENT="sechs."/></TextLine></TextBlock>
</PrintSpace></Page></Layout></alto>
"""


def write_cells(folder: Path) -> None:
    """Nine cells that stand in the file as 5 to 9, then 1 to 4, with reading orders by row, by column and none."""
    rows, columns = list(range(1, 10)), [1, 4, 7, 2, 5, 8, 3, 6, 9]
    cells = "".join(
        f'<TextRegion id="r{cell}"><TextLine id="l{cell}"><TextEquiv><Unicode>{cell}</Unicode></TextEquiv></TextLine>'
        f"<TextEquiv><Unicode>{cell}</Unicode></TextEquiv></TextRegion>\n"
        for cell in (*range(5, 10), *range(1, 5))
    )

    def indexed(order: Sequence[int]) -> str:
        return "".join(f'<RegionRefIndexed index="{index}" regionRef="r{cell}"/>' for index, cell in enumerate(order))

    inner = f'<OrderedGroupIndexed id="g0" regionRef="r0" index="0">{indexed(rows)}</OrderedGroupIndexed>'
    unordered = "".join(f'<RegionRef regionRef="r{cell}"/>' for cell in rows)
    files = {
        "table-order-0001": (f'<OrderedGroup id="g1">{indexed(rows)}</OrderedGroup>', cells),
        "table-order-0002": (f'<OrderedGroup id="g1">{indexed(columns)}</OrderedGroup>', cells),
        "table-region": (
            f'<OrderedGroup id="g1">{inner}</OrderedGroup>',
            f'<TableRegion id="r0">{cells}</TableRegion>',
        ),
        "table-unordered": (f'<UnorderedGroup id="g1">{unordered}</UnorderedGroup>', cells),
        "table-no-reading-order": ("", cells),
    }
    for name, (order, content) in files.items():
        (folder / f"{name}.xml").write_text(
            '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
            '<Page imageFilename="0.png">'
            f"{order and f'<ReadingOrder>{order}</ReadingOrder>'}{content}</Page></PcGts>\n",
            encoding="utf-8",
        )


def write_pages(folder: Path) -> None:
    """Scans of which four have a text beside them."""
    for name in ("8071_093.3B.tif", "8087_054.3B.tif", "devatest.png", "eurotext.tif", "hebrew.png", "phototest.tif"):
        Image.new("1", (40, 20), 1).save(folder / name)
    for name in ("8071_093.3B.txt", "8087_054.3B.txt", "eurotext.txt", "phototest.gold.txt"):
        (folder / name).write_text(f"Page {name}\nwith two lines & a <sign>.\n", encoding="utf-8")


def write_others(root: Path) -> None:
    """One file of each further format."""
    texts = {
        "sctk/csrnab.ref": "the price of { rye / wheat } rose (abc-001)\nand fell again (abc-002)\n",
        "sctk/csrnab.hyp": "the price of rye rose (abc-001)\nand fell a gain (abc-002)\n",
        "sctk/lvc_ref.stm": (
            ';; LABEL "o" "Overall" "all"\ncall A ann 0.00 1.50 <o,f> good morning to you\n'
            "call B bob 1.50 2.75 <o,m> who is { it / this }\ncall A ann 2.75 4.00 <o,f> the baker\n"
        ),
        "sctk/lvc_hyp.ctm": "call A 0.10 0.30 good 0.9\ncall A 0.50 0.40 morning 0.8\ncall B 1.60 0.20 who 0.7\n",
        "sctk/LICENSE.md": "Apache-2.0\n",
        "sctk/base/test1.pra": "a report\n",
        "sctk/base/test1.raw": "a table\n",
        "sctk/base/test1.sys": "another table\n",
        "earnings21_eval10/transcripts/nlp_references/1.nlp": (
            "token|speaker|ts|endTs|punctuation|case|tags\nGood|1|0.0|0.2||UC|[]\nmorning|1|0.2|0.5|.|LC|[]\n"
        ),
        "earnings21_eval10/eval10-file-metadata.csv": "file_id,audio_length,speakers\n1,3600.5,4\n2,1800.25,2\n",
        "rise_letters/ground_truths/letters.csv": "letter,date,pages\nletter01,1926-02-16,1\nletter02,1926-03-01,2\n",
        "speech/cards/transcription": "the first card (card-001)\nthe second card (card-002)\n",
        "speech/cards/first.txt": "the first card\n",
        "speech/cards/second.lab": "the second card\n",
        "sources/README.md": "# Sources\n\n| set | from |\n|---|---|\n| all | `tests/twins.py` |\n",
        "sources/LICENSE": "Apache-2.0\n",
        "dinglehopper_xml/test.alto2.xml": HYPHENATED,
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    for number in range(12):
        (root / f"speech/cards/card{number}.txt").write_text(f"card {number} of twelve\n", encoding="utf-8")


def write_twins(root: Path) -> None:
    """Write all of them."""
    folders = {
        "das22_directories": write_directories,
        "speakers": write_speakers,
        "timeus_handwriting": write_register,
        "dinglehopper_xml/table-order": write_cells,
        "tesseract_pages/testing": write_pages,
    }
    for name, write in folders.items():
        (root / name).mkdir(parents=True)
        write(root / name)
    write_others(root)


@pytest.fixture(scope="session")
def data_of_every_format(shared_data_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the real data sets, or of their twins where these are absent."""
    if shared_data_root.is_dir():
        return shared_data_root
    root = tmp_path_factory.mktemp("twins")
    write_twins(root)
    return root
