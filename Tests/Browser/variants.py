# SPDX-License-Identifier: Apache-2.0
"""Shares of tests that have many variants. `@pytest.mark.share(of=3)` stands on a test with several engines, languages, sizes
or stories, or in `pytestmark` for a file: an ordinary run then has a third of the variants, at least one. The seed of the run
(DISPOSABLE_SEED, which Tests/lanes.py sets and prints) and the name of the test decide which, so that every variant comes
within a few runs, and other tests have others. All variants run in the long form (DISPOSABLE_LONG), without a seed, and where
tests are named on the command line."""

import os
import random


def register(config):
    config.addinivalue_line("markers", "long: has a larger form, with DISPOSABLE_LONG")
    config.addinivalue_line("markers", "share(of, each): an ordinary run has one in `of` of its variants, of each group of them")


def take_shares(config, items):
    """Takes from the collected tests what this run leaves out."""
    seed = os.environ.get("DISPOSABLE_SEED")
    if seed is None or "DISPOSABLE_LONG" in os.environ or any("::" in argument for argument in config.args):
        return
    tests = {}
    for item in items:
        # The first one is the test's own; then comes that of its parameters, then that of its file.
        if mark := item.get_closest_marker("share"):
            group = mark.kwargs["each"](item.callspec.params) if "each" in mark.kwargs else ""
            tests.setdefault((item.path.stem, item.originalname, group, mark.kwargs["of"]), []).append(item)
    left_out = set()
    for (file, name, group, of), variants in tests.items():
        left_out.update(set(variants) - set(share(variants, of, f"{seed} {file} {name} {group}")))
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def share(variants, of, seed):
    """One in `of` of them, rounded up, so that there is at least one; drawn, since every second one may be in one language."""
    return random.Random(seed).sample(variants, -(-len(variants) // of))
