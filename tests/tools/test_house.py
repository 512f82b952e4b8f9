from tools.house import PICTURE, draw_house


def test_the_picture_of_the_house_is_that_of_the_code():
    assert PICTURE.read_text(encoding="utf-8") == draw_house(), "run `python -m tools.house`, and commit the picture"
