"""Validity of XML answers: syntax, XML Schema and required elements."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, Final

from misread.alignment.encode.inputs import check_texts
from misread.errors import ConfigurationError, InputTypeError, needed_for
from misread.features.answers.json_validity import StructuredValidity, require_text

_XSD: Final = "{http://www.w3.org/2001/XMLSchema}"


def required_names(schema: Any) -> tuple[str, ...]:
    """Local names of required children, and with "@" of required attributes, of the document element.

    The document element is the first global element that no other refers to.
    """
    tops = schema.findall(f"{_XSD}element")
    referred = {_local(element.get("ref")) for element in schema.iter(f"{_XSD}element") if element.get("ref")}
    roots = [element for element in tops if element.get("name") not in referred] or tops
    # A member of a substitution group may replace its head under another name.
    heads = {_local(element.get("substitutionGroup")) for element in tops if element.get("substitutionGroup")}
    if not roots:
        return ()
    kind = _type_of(roots[0], schema)
    elements = [] if kind is None else _elements_of_type(kind, schema)
    attributes = [] if kind is None else _attributes(kind, schema)
    names = [*(name for name in elements if name not in heads), *(f"@{name}" for name in attributes)]
    return tuple(dict.fromkeys(names))


def _type_of(element: Any, schema: Any) -> Any:
    """Complex type of an element: its own, or the global one that it names; None for a simple type."""
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
    """Elements that every match of a particle contains."""
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
    """Required attributes of a complex type, including those of its base type."""
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
    """Global declaration of this name; None for built-in names, such as xs:string."""
    prefix, _, local = name.rpartition(":")
    if schema.nsmap.get(prefix or None) == _XSD.strip("{}"):
        return None
    return next(
        (declaration for declaration in schema.iterchildren(f"{_XSD}{kind}") if declaration.get("name") == local), None
    )


def _local(name: str) -> str:
    return name.rpartition(":")[2]


_CLOSED: Final = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
_ENTITY = "<!ENTITY"
_OTHER_DOCUMENTS = ("import", "include", "redefine", "override")


def validate_xml_output(output: str, schema: str | None = None, *, required: Sequence[str] = ()) -> StructuredValidity:
    """Parse an XML answer and validate it against an XML Schema.

    Entities are refused, and nothing is fetched from a network or a file.

    Parameters
    ----------
    output : str
        The answer.
    schema : str, optional
        XML Schema as text, in one document; without one a well-formed answer is compliant.
    required : sequence of str
        Names of required elements below the root, and with "@" of its required attributes, in addition to those of the
        schema (see `misread.features.answers.xml_validity`).

    Returns
    -------
    StructuredValidity
        Fields are the elements below the root. Completeness is the share of required ones that are present.

    Raises
    ------
    InputTypeError
        If the answer or the schema is not text, or `required` is not a list of names.
    ConfigurationError
        If the schema is invalid, has entities, refers to another document, or has a pattern that libxml2 gives up on.
    MissingDependencyError
        If lxml is not installed.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.2; W3C XML Schema 1.0.

    Examples
    --------
    >>> validate_xml_output("<invoice><total>5</total></invoice>", required=("total", "date")).completeness_score
    0.5
    """
    return xml_check(schema, required=required)(output)


def xml_check(schema: str | None, *, required: Sequence[str] = ()) -> Callable[[str], StructuredValidity]:
    """As `validate_xml_output`, with a schema prepared once for many answers."""
    etree = _import_etree()
    validator = None if schema is None else etree.XMLSchema(_parse_schema(schema))
    names = required_by(schema, required)

    def check(output: str) -> StructuredValidity:
        if _ENTITY in require_text(output):
            return StructuredValidity(False, False, parsing_error="entities are not allowed")
        try:
            # A declared encoding is that of the file; the text is decoded already.
            root = etree.fromstring(output.encode(), etree.XMLParser(encoding="utf-8", **_CLOSED))
        except (etree.XMLSyntaxError, ValueError) as error:
            return StructuredValidity(False, False, parsing_error=str(error))
        try:
            errors = [] if validator is None or validator.validate(root) else list(validator.error_log)
        except etree.XMLSchemaValidateError as error:
            raise ConfigurationError(
                f"an answer cannot be validated against the XML Schema ({error}); write its patterns without "
                "repetitions of alternatives that share a prefix."
            ) from None
        fields = [etree.QName(child).localname for child in root.iterchildren("*")]
        present = {*fields, *(f"@{etree.QName(name).localname}" for name in root.attrib)}
        return StructuredValidity(
            True,
            not errors,
            validation_errors=[f"line {entry.line}: {entry.message}" for entry in errors],
            completeness_score=sum(name in present for name in names) / len(names) if names else 1.0,
            field_count=len(fields),
        )

    return check


def required_by(schema: str | None, required: Sequence[str] = ()) -> tuple[str, ...]:
    """Names of required fields: those of `required`, and those of the schema."""
    by_schema = () if schema is None else required_names(_parse_schema(schema))
    return tuple(dict.fromkeys([*check_texts("required", required), *by_schema]))


def _parse_schema(schema: str) -> Any:
    """Root of a usable schema; raises an error that says why it is not usable."""
    etree = _import_etree()
    if not isinstance(schema, str):
        raise InputTypeError(f"the XML Schema is of type {type(schema).__name__}, expected its text.")
    if _ENTITY in schema:
        raise ConfigurationError("the XML Schema has entities, which are not allowed.")
    try:
        tree = etree.fromstring(schema.encode(), etree.XMLParser(encoding="utf-8", **_CLOSED))
        for element in tree.iterchildren("*"):
            if etree.QName(element).localname in _OTHER_DOCUMENTS and "schemaLocation" in element.attrib:
                raise ConfigurationError(
                    f"the XML Schema refers to {element.attrib['schemaLocation']!r}, which is not fetched; put all "
                    "declarations into one document."
                )
        etree.XMLSchema(tree)
    except (etree.XMLSyntaxError, etree.XMLSchemaParseError) as error:
        raise ConfigurationError(f"the XML Schema is invalid: {str(error).rstrip('.')}.") from None
    return tree


def _import_etree() -> Any:
    with needed_for("XML needs", "lxml", "structured"):
        from lxml import etree
    return etree
