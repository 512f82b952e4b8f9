import pytest

from misread.text.refusals import is_refusal


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't read the handwriting in this image.",
        "Sorry, I am unable to transcribe this document.",
        "I cannot read this.",
        "I’m unable to assist with that.",
        "I can't help with that request.",
        "Unfortunately, the scan is so dark that I cannot decipher the text.",
        "**I apologize**, but I cannot view images.".replace("*", ""),
        "The image is too blurry to read.",
        "There is no legible text in this image.",
        "Es tut mir leid, aber ich kann den Text nicht lesen.",
        "Leider kann ich dieses Bild nicht verarbeiten.",
        "Ich kann die Handschrift leider nicht entziffern.",
        "Das Bild ist zu unscharf.",
        "Je suis désolé, mais je ne peux pas lire cette image.",
        "Je ne suis pas en mesure de transcrire ce document.",
        "Malheureusement, je ne parviens pas à déchiffrer le texte.",
        "L'image est trop floue.",
    ],
)
def test_refusals_in_three_languages_are_known(answer):
    assert is_refusal(answer)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am sorry to hear of your loss.",
        "I'm sorry that I could not come on Sunday.",
        "I can read and write.",
        "I cannot believe it.",
        "No text was sent.",
        "The image of the king is of gold.",
        "Es tut mir leid, dass du krank bist.",
        "Ich kann nicht kommen.",
        "Leider ist er gestorben.",
        "Je suis désolé de votre départ.",
        "Je ne peux pas venir.",
        "Dear Sir, I cannot read your letter.",
        "I cannot read this. " * 60,
    ],
)
def test_what_letters_say_is_no_refusal(text):
    assert not is_refusal(text)
