"""The documents: their code runs, the guide's picture is that of its example, and `help()` shows the stub's text."""

import ast
import inspect
import pathlib
import re

import numpy as np
import pytest
from PIL import Image

from hitmask import _hitmask

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


def stubbed():
    """Returns each class and function of the stub, and their members, by name."""
    for node in ast.parse((ROOT / "hitmask" / "_hitmask.pyi").read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name, node
            for member in getattr(node, "body", []):
                if isinstance(member, ast.FunctionDef):
                    yield f"{node.name}.{member.name}", member


# Python documents special methods itself.
NODES = [(name, node) for name, node in stubbed() if not name.split(".")[-1].startswith("_")]


@pytest.mark.parametrize(("name", "node"), NODES, ids=[name for name, _ in NODES])
def test_help_shows_the_text_of_the_stub(name, node):
    thing = _hitmask
    for part in name.split("."):
        thing = getattr(thing, part)
    shown, text = inspect.getdoc(thing), ast.get_docstring(node)
    assert (shown or "").split() == (text or "").split()
    is_property = any(
        isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list
    )
    assert text or is_property
    assert not re.match("(What|Of|Which|Where|That|The same|Whether) ", text or "")
