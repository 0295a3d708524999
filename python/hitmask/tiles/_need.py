"""Packages that only some functions need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def need(module: str) -> Any:
    """Imports a module, or raises an error that says how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(f'this function needs {package}: pip install "hitmask[tiles]"', name=package) from error
