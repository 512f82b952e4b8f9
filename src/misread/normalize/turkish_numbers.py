"""Turkish numbers in words under the name that a specification dictates."""

from misread.normalize.steps.turkish.spelling import spell_turkish_numbers


def convert_numbers_to_words_wrapper(text: str, *, merge_words: bool = False) -> str:
    """Write the numbers of a Turkish text in words.

    Parameters
    ----------
    text : str
        Numbers may have thousands points, a decimal comma, a minus, and a suffix behind an apostrophe.
    merge_words : bool
        Whether the words of one number are written together.

    Returns
    -------
    str
        The text with words; all that is not a number is unchanged.

    References
    ----------
    Text Similarity Metrics (trnorm), "Integration with Other Modules".

    Examples
    --------
    >>> convert_numbers_to_words_wrapper("Bu 42 sayısı önemlidir")
    'Bu kırk iki sayısı önemlidir'
    >>> convert_numbers_to_words_wrapper("Bu 42 sayısı önemlidir", merge_words=True)
    'Bu kırkiki sayısı önemlidir'
    """
    return spell_turkish_numbers(text, joined=merge_words)
