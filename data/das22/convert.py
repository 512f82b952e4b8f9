"""Make entries.jsonl of the source repository: `python convert.py SOURCE TARGET`, or `misread data fetch das22`.

An entry of the corrected transcription is joined with what each system read in its box, by book, page and number.
Left out are entries without a valid box, and books of which one system has no output.
"""

import json
import sys
from pathlib import Path
from typing import Any

SUPERVISED = "dataset/supervised"
BOOKS = {
    "Bottin3_1854a",
    "Cambon_almgene_1841",
    "DidotBottin_1861a",
    "Didot_1851a",
    "Didot_1854a",
    "Duverneuil_et_La_Tynna_1801",
    "Duverneuil_et_La_Tynna_1805",
    "La_Tynna_1813",
    "Notables_communaux_seine_1801",
}
SYSTEMS = {"pero": "21-ocr-pero-final", "tesseract4": "22-ocr-tess-final", "kraken": "23-ocr-krak-final"}


def entries(folder: Path) -> dict[tuple[str, int, int], dict[str, Any]]:
    """Entries of one list, by book, page and number."""
    listed = json.loads((folder / "all.json").read_text(encoding="utf-8"))
    return {(entry["book"], entry["page"], entry["id"]): entry for entry in listed}


def main(source: Path, target: Path) -> None:
    """Write all files of the data set."""
    references = entries(source / SUPERVISED / "10-ref-ocr-ner-json")
    read = {system: entries(source / SUPERVISED / folder) for system, folder in SYSTEMS.items()}
    with (target / "entries.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for key, entry in sorted(references.items()):
            if entry["book"] not in BOOKS or not entry["valid_box"] or any(key not in of for of in read.values()):
                continue
            line = {name: entry[name] for name in ("book", "page", "id")}
            line |= {"box": entry["box"], "ref": entry["text_ocr"], "ner_xml": entry["ner_xml"]}
            line |= {system: of[key]["text_ocr"] for system, of in read.items()}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
