"""The code in README.md and guide.md runs, and the guide's picture is that of its example."""

import pathlib
import re

import numpy as np
import pytest
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", ["README.md", "guide.md"])
def test_the_code_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / name).read_text()
    blocks = [
        (match[1], text[: match.start()].count("\n")) for match in re.finditer(r"```python\n(.*?)```", text, re.S)
    ]
    assert blocks
    namespace = {}
    for code, line in blocks:
        # Empty lines in front, so that a failure names the line of the document.
        exec(compile("\n" * (line + 1) + code, str(ROOT / name), "exec"), namespace)


def test_the_picture_is_that_of_the_example(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    import stars

    world = stars.scene()
    picture = stars.draw(world, stars.Engine.cpu().run(world, stars.Ask.DETAILS))
    assert (np.asarray(Image.open(ROOT / "guide.png")) == picture).all()
