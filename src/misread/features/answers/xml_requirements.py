"""Requirements of an XML Schema for the document's element: children and attributes that every valid document has.

Children are elements with `minOccurs` above 0 that stand outside of choices, or in all branches of one; attributes are
those with `use="required"`. W3C XML Schema 1.0 Part 1, sections 3.4 (complex types), 3.8 (model groups), 3.9
(particles).
"""

from collections.abc import Iterable
from functools import reduce
from typing import Any, Final

_XSD: Final = "{http://www.w3.org/2001/XMLSchema}"


def required_names(schema: Any) -> tuple[str, ...]:
    """Local names of the children, and with "@" of the attributes, that the document's element must have.

    That element is the first global one that no other refers to.
    """
    tops = schema.findall(f"{_XSD}element")
    referred = {_local(element.get("ref")) for element in schema.iter(f"{_XSD}element") if element.get("ref")}
    roots = [element for element in tops if element.get("name") not in referred] or tops
    # A member of a substitution group may stand for its head, by another name.
    heads = {_local(element.get("substitutionGroup")) for element in tops if element.get("substitutionGroup")}
    if not roots:
        return ()
    kind = _type_of(roots[0], schema)
    elements = [] if kind is None else _elements_of_type(kind, schema)
    attributes = [] if kind is None else _attributes(kind, schema)
    names = [*(name for name in elements if name not in heads), *(f"@{name}" for name in attributes)]
    return tuple(dict.fromkeys(names))


def _type_of(element: Any, schema: Any) -> Any:
    """Complex type of an element: its own, or the global one that it names; None of a simple type."""
    if element.get("type"):
        return _find(schema, "complexType", element.get("type"))
    return element.find(f"{_XSD}complexType")


def _elements_of_type(kind: Any, schema: Any) -> list[str]:
    extension = kind.find(f"{_XSD}complexContent/{_XSD}extension")
    content = kind.find(f"{_XSD}complexContent/*") if extension is None else extension
    own = _elements(_model(kind if content is None else content), schema)
    base = None if extension is None else _find(schema, "complexType", extension.get("base"))
    return own if base is None else [*_elements_of_type(base, schema), *own]


def _elements(particle: Any, schema: Any) -> list[str]:
    """Elements that are in all that fits a particle."""
    if particle is None or particle.get("minOccurs") == "0" or particle.get("maxOccurs") == "0":
        return []
    match particle.tag.removeprefix(_XSD):
        case "element":
            return [particle.get("name") or _local(particle.get("ref"))]
        case "group":
            return _elements(_model(_find(schema, "group", particle.get("ref"))), schema)
        case "choice":
            branches = [_elements(branch, schema) for branch in _particles(particle)]
            return reduce(lambda first, other: [name for name in first if name in other], branches) if branches else []
        case "sequence" | "all":
            return [name for inner in _particles(particle) for name in _elements(inner, schema)]
    return []


def _attributes(kind: Any, schema: Any) -> list[str]:
    """Required attributes of a complex type, those of the type that it derives from included."""
    names = []
    for holder in (kind, *kind.iterfind(f"{_XSD}complexContent/*"), *kind.iterfind(f"{_XSD}simpleContent/*")):
        base = _find(schema, "complexType", holder.get("base")) if holder.get("base") else None
        names += [] if base is None else _attributes(base, schema)
        names += _own_attributes(holder, schema)
    return names


def _own_attributes(holder: Any, schema: Any) -> Iterable[str]:
    for attribute in holder.iterchildren(f"{_XSD}attribute", f"{_XSD}attributeGroup"):
        if attribute.tag == f"{_XSD}attributeGroup":
            yield from _own_attributes(_find(schema, "attributeGroup", attribute.get("ref")), schema)
        elif attribute.get("use") == "required":
            yield attribute.get("name") or _local(attribute.get("ref"))


def _model(holder: Any) -> Any:
    return next(_particles(holder), None)


def _particles(holder: Any) -> Any:
    return holder.iterchildren(*(f"{_XSD}{name}" for name in ("element", "group", "choice", "sequence", "all", "any")))


def _find(schema: Any, kind: str, name: str) -> Any:
    """Global declaration of that name; None of what XML Schema itself has, such as xs:string."""
    prefix, _, local = name.rpartition(":")
    if schema.nsmap.get(prefix or None) == _XSD.strip("{}"):
        return None
    return next((of for of in schema.iterchildren(f"{_XSD}{kind}") if of.get("name") == local), None)


def _local(name: str) -> str:
    return name.rpartition(":")[2]
