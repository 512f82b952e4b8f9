"""Step that writes British spellings as American ones."""

import re
from functools import lru_cache
from typing import Final

# Parts of words, with what they become; the longest that fits counts.
PARTS: Final = {
    "aeroplane": "airplane",
    "aerogramme": "aerogram",
    "aluminium": "aluminum",
    "artefact": "artifact",
    "aeon": "eon",
    "aesthet": "esthet",
    "aetiolog": "etiolog",
    "anaem": "anem",
    "anaesthe": "anesthe",
    "archaeo": "archeo",
    "bannister": "banister",
    "baulk": "balk",
    "behove": "behoove",
    "bevvy": "bevy",
    "bevvies": "bevies",
    "caesarean": "cesarean",
    "chimaera": "chimera",
    "clarinettist": "clarinetist",
    "connexion": "connection",
    "inflexion": "inflection",
    "cosier": "cozier",
    "cosies": "cozies",
    "cosily": "cozily",
    "cosiness": "coziness",
    "cypher": "cipher",
    "defence": "defense",
    "offence": "offense",
    "pretence": "pretense",
    "licence": "license",
    "licencing": "licensing",
    "practis": "practic",
    "diarrhoea": "diarrhea",
    "gonorrhoea": "gonorrhea",
    "draught": "draft",
    "encyclopaed": "encycloped",
    "epaulette": "epaulet",
    "omelette": "omelet",
    "faecal": "fecal",
    "faeces": "feces",
    "foet": "fet",
    "oesoph": "esoph",
    "oestr": "estr",
    "oedema": "edema",
    "edoema": "edema",
    "homoeo": "homeo",
    "manoeuvre": "maneuver",
    "manoeuvred": "maneuvered",
    "manoeuvr": "maneuver",
    "gaol": "jail",
    "gasses": "gases",
    "busses": "buses",
    "bussing": "busing",
    "biass": "bias",
    "gramme": "gram",
    "programmed": "programmed",
    "programmer": "programmer",
    "grammer": "grammer",
    "grey": "gray",
    "greyhound": "greyhound",
    "groyne": "groin",
    "gryphon": "griffin",
    "gipsies": "gypsies",
    "gipsy": "gypsy",
    "gynaec": "gynec",
    "haem": "hem",
    "leukaem": "leukem",
    "toxaem": "toxem",
    "jewellery": "jewelry",
    "judgement": "judgment",
    "ageing": "aging",
    "bingeing": "binging",
    "likeable": "likable",
    "glueing": "gluing",
    "mediaeval": "medieval",
    "primaeval": "primeval",
    "mould": "mold",
    "moult": "molt",
    "smoulder": "smolder",
    "moustach": "mustach",
    "orthopaed": "orthoped",
    "paed": "ped",
    "palaeo": "paleo",
    "pharmacopoeia": "pharmacopeia",
    "phoney": "phony",
    "plough": "plow",
    "pouffe": "pouf",
    "praesidium": "presidium",
    "pyjama": "pajama",
    "sceptic": "skeptic",
    "sheikh": "sheik",
    "sulph": "sulf",
    "syphon": "siphon",
    "tonne": "ton",
    "tonneau": "tonneau",
    "waggon": "wagon",
    "yoghurt": "yogurt",
    "yoghourt": "yogurt",
    "worshipp": "worship",
    "kidnapp": "kidnapp",
    "cheque": "check",
    "chequer": "checker",
    "almanack": "almanac",
    "accoutrement": "accouterment",
    "instalment": "installment",
    "fulfilment": "fulfillment",
    "enrolment": "enrollment",
    "skilful": "skillful",
    "wilful": "willful",
    "misspelt": "misspelled",
    "cancelation": "cancellation",
    "crenelat": "crenellat",
    "flautist": "flutist",
    "bougainvillaea": "bougainvillea",
    "tranquillis": "tranquiliz",
    "tranquilliz": "tranquiliz",
    "tranquillity": "tranquility",
    "marvellous": "marvelous",
    "woollen": "woolen",
    "libellous": "libelous",
    "jeweller": "jeweler",
    "councillor": "councilor",
    "counsellor": "counselor",
    "dishevelled": "disheveled",
    "gruelling": "grueling",
    "panellist": "panelist",
    "callisthenic": "calisthenic",
    "crueller": "crueler",
    "cruellest": "cruelest",
    "woollies": "woolies",
    "untrammelled": "untrammeled",
    "lacklustre": "lackluster",
    "philtre": "filter",
    "fillet": "filet",
    "reconnoitring": "reconnoitering",
    "louvred": "louvered",
}
"""British parts of words and their American forms; one that stays itself protects a longer word."""

WORDS: Final = {
    "appal": "appall",
    "distil": "distill",
    "enrol": "enroll",
    "enthral": "enthrall",
    "fulfil": "fulfill",
    "instal": "install",
    "instil": "instill",
    "appals": "appalls",
    "distils": "distills",
    "enrols": "enrolls",
    "enthrals": "enthralls",
    "fulfils": "fulfills",
    "instals": "installs",
    "instils": "instills",
    "cosy": "cozy",
    "cosiest": "coziest",
    "axe": "ax",
    "storey": "story",
    "storeys": "stories",
    "tyre": "tire",
    "tyres": "tires",
    "woolly": "wooly",
    "chilli": "chili",
    "calliper": "caliper",
    "callipers": "calipers",
    "disc": "disk",
    "discs": "disks",
    "videodisc": "videodisk",
    "videodiscs": "videodisks",
    "pzazz": "pizzazz",
    "gage": "gauge",
    "gages": "gauges",
    "gaged": "gauged",
    "gaging": "gauging",
    "kerb": "curb",
    "kerbs": "curbs",
    "glamor": "glamour",
    "travelog": "travelogue",
    "travelogs": "travelogues",
    "behoves": "behooves",
}
"""Whole words."""

_ISE: Final = re.compile(
    r"(?=[a-z]*[aeiouy][a-z]*is)([a-z]*[b-df-hj-np-tvwxz]|[a-z]*(?:jud|hebr|arch)a|ghetto)"
    r"is(?=(?:e[drs]?|ers|ement|ing|ingly|abl[ey]|ance|ation|ations|ational|edly)\Z)"
)
# Words that are spelled with s everywhere.
_NOT_ISE: Final = re.compile(
    r"(?:re|dis|un|pre|over|mis)*(?:adv|advert|ar|chast|chem|circumc|compr|comprom|conc|counterpo|dem|desp|dev|enterpr|exc"
    r"|exerc|expert|franch|g|gu|improv|inc|merchand|mort|parad|prec|prem|prom|pr|r|rev|sunr|moonr|upr|superv|surm|surpr"
    r"|telev|treat|val|v|[a-z]*w|an|cer|marqu|appr|reprim|tort|[a-z]*r?[cx]r)is(?=[ei])|improvisat|[a-z]{1,2}is(?=[ei])"
)
_YSE: Final = re.compile(r"(?<=[a-z]l)ys(?=(?:e[drs]?|ers|ing)\Z)")
_OUR: Final = re.compile(
    r"(arb|ard|arm|behavi|belab|cand|clam|clang|col|demean|enam|endeav|fav|ferv|flav|harb|hon|hum|lab|neighb|od|parl"
    r"|ranc|rig|rum|savi|sav|splend|succ|tum|val|vap|vig)our(?=(?!ed?n\Z)[a-z]*\Z)"
)
_NOT_OUR: Final = re.compile(r"(?:contour|glamour|paramour|labourd|velour|honourific)")
_TRE: Final = re.compile(
    r"((?:^|amphi|epi|kilo|centi|milli|micro|deci|nano)(?:theat|cent|met|lit)|theat|cent|fib|calib|goit|lust|louv|meag|mit"
    r"|reconnoit|sab|saltpet|scept|sepulch|somb|spect)re(?=(?:[sd]|fold|folds|piece|pieces|glass|goers?)?\Z)"
)
_OGUE: Final = re.compile(r"(?<=anal|atal|dial|epil|onol|prol)ogu(?:e(?=[ds]?\Z)|(?=ing\Z))")
_DOUBLED: Final = re.compile(r"(?<=\w[aeiou])(?<!emp)(?<!mp)ll(?=(?:ed|ing|er|ers|or|ors)\Z)")
# Stems whose consonant American English does not double: the stress is not on the last syllable.
_SINGLE: Final = re.compile(
    r"(?:back|mis|re|un|over|out|im|em)*(?:pedal|bedevil|bejewel|bevel|cancel|carol|cavil|channel|chisel|council|counsel|cudgel"
    r"|dial|disembowel|drivel|duel|enamel|equal|fuel|funnel|gambol|gravel|grovel|impanel|imperil|panel|peril|initial"
    r"|jewel|label|level|libel|marshal|marvel|model|parcel|pencil|pummel|quarrel|ravel|revel|rival|shovel|shrivel"
    r"|signal|snivel|snorkel|spiral|squirrel|stencil|swivel|tassel|towel|travel|trial|tunnel|weasel|yodel)"
)
_LONGEST_WORD: Final = 40
_PART: Final = re.compile("|".join(sorted(PARTS, key=len, reverse=True)))


def spell_american(text: str) -> str:
    """Write British spellings of lower-case English as American ones; words are separated by spaces afterwards.

    >>> spell_american("the colour of travelling theatres is analysed and organised")
    'the color of traveling theaters is analyzed and organized'
    """
    return " ".join(map(_american, text.split()))


@lru_cache(maxsize=1 << 16)
def _american(word: str) -> str:
    if word in WORDS:
        return WORDS[word]
    if not (word.isalpha() and word.isascii()) or len(word) > _LONGEST_WORD:
        return word
    word = _PART.sub(_part, word)
    if not _NOT_ISE.match(word):
        word = _ISE.sub(r"\1iz", word)
    word = _YSE.sub("yz", word)
    if not _NOT_OUR.search(word):
        word = _OUR.sub(r"\1or", word)
    word = _TRE.sub(lambda match: f"{match[1]}er" if not word.endswith("red") else f"{match[1]}ere", word)
    word = _OGUE.sub(lambda match: "oge" if word.endswith("ed") and match[0].endswith("e") else "og", word)
    doubled = _DOUBLED.search(word)
    if doubled and _SINGLE.fullmatch(word[: doubled.start() + 1]):
        word = f"{word[: doubled.start()]}{word[doubled.start() + 1 :]}"
    return word


def _part(match: re.Match[str]) -> str:
    return PARTS[match[0]]
