from importlib.resources import files


def test_the_package_is_marked_as_typed():
    assert files("misread").joinpath("py.typed").is_file()
