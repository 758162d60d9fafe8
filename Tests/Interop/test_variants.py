# SPDX-License-Identifier: Apache-2.0
"""Shares of tests with many variants: what an ordinary run leaves out, other runs have, and `make test-long`."""

import re
from types import SimpleNamespace

import pytest

from party import ROOT
from variants import share, take_shares

VARIANTS = [f"{engine}-{language}" for engine in ("chromium", "firefox", "webkit") for language in ("en", "fr")]


class Variant:
    """A test as pytest has collected it."""

    def __init__(self, test, name, **mark):
        self.originalname, self.path, self.name = test, ROOT / "test_a.py", name
        self.callspec = SimpleNamespace(params={"name": name})
        self.mark = SimpleNamespace(kwargs=mark) if mark else None

    def get_closest_marker(self, _):
        return self.mark


def taken(monkeypatch, seed, *arguments, **environment):
    """What a run with this seed takes from three tests: one without a share, one with a third, and one with each engine in
    one language."""
    for name, value in {"DISPOSABLE_SEED": seed, "DISPOSABLE_LONG": None, **environment}.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, str(value))
    items = [Variant("whole", name) for name in VARIANTS]
    items += [Variant("third", name, of=3) for name in VARIANTS]
    items += [Variant("each", name, of=2, each=lambda parameters: parameters["name"].split("-")[0]) for name in VARIANTS]
    left_out = []
    hook = SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    before = list(items)
    take_shares(SimpleNamespace(args=arguments, hook=hook), items)
    assert sorted(map(id, items + left_out)) == sorted(map(id, before))
    return {test: [item.name for item in items if item.originalname == test] for test in ("whole", "third", "each")}


def test_a_run_has_a_share_and_runs_together_have_everything(monkeypatch):
    runs = [taken(monkeypatch, seed, "Tests/Browser") for seed in range(40)]
    for run in runs:
        assert run["whole"] == VARIANTS
        assert len(run["third"]) == 2
        assert [name.split("-")[0] for name in run["each"]] == ["chromium", "firefox", "webkit"]
    for test in ("third", "each"):
        assert {name for run in runs for name in run[test]} == set(VARIANTS)
    assert runs == [taken(monkeypatch, seed, "Tests/Browser") for seed in range(40)]


def test_the_long_form_a_run_without_a_seed_and_a_named_test_have_all_variants(monkeypatch):
    everything = dict.fromkeys(("whole", "third", "each"), VARIANTS)
    assert taken(monkeypatch, 1, "Tests/Browser", DISPOSABLE_LONG=1) == everything
    assert taken(monkeypatch, None, "Tests/Browser") == everything
    assert taken(monkeypatch, 1, "Tests/Browser/test_a.py::third[webkit-fr]") == everything


@pytest.mark.parametrize("count, of, length", [(1, 3, 1), (2, 3, 1), (4, 3, 2), (9, 3, 3)])
def test_a_share_is_never_empty(count, of, length):
    assert len(share(list(range(count)), of, "seed")) == length


def test_make_test_long_runs_every_larger_form():
    """It runs what has the mark "share" or "long", and the endurance test by itself."""
    for folder in ("Tests/Browser", "Tests/Interop"):
        assert f'-m "share or long" {folder}' in (ROOT / "Makefile").read_text()
        for file in (ROOT / folder).glob("test_*.py"):
            if re.search(r'"DISPOSABLE_LONG" (not )?in os.environ', file.read_text()) and file.stem != "test_endurance":
                assert "pytest.mark.long" in file.read_text(), file.name
