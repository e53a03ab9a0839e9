"""The examples of docstrings and of the README run."""

import doctest
import importlib
import pathlib
import re

import pytest


@pytest.mark.parametrize("name", ["__init__", "_arrange", "_einsum", "_kernels", "_reductions", "array_api", "batch", "checkpoints", "layouts", "moves", "plans", "ragged", "sparse", "threads", "tiles"])
def test_docstrings(name):
    module = importlib.import_module("crd2idx" if name == "__init__" else f"crd2idx.{name}")
    result = doctest.testmod(module)
    assert result.failed == 0 and (result.attempted > 0)


PAGES = ["python/README.md", "README.md", *(f"docs/do/{name}.md" for name in ("python", "placements", "move-between-ranks", "kv-caches", "checkpoints", "scipy", "from-pydata-sparse", "from-awkward")), "docs/look-up/array-api.md"]


@pytest.mark.parametrize("page", PAGES)
def test_pages(page):
    text = (pathlib.Path(__file__).parents[2] / page).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
