from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from earned.content.fingerprints import GRAM, WINDOW, fingerprint, gram_hashes, overlap, winnow

LETTERS = st.text("abcdefgh(),._=", min_size=0, max_size=60)


@given(left=LETTERS, right=LETTERS, other=LETTERS, run=st.text("abcdefgop().=", min_size=GRAM + WINDOW - 1, max_size=120))
def test_a_common_run_of_the_guaranteed_length_shares_a_fingerprint(left: str, right: str, other: str, run: str) -> None:
    assert overlap(fingerprint(left + run + right), fingerprint(other + run)).shared >= 1


@given(st.lists(st.integers(0, 3), max_size=60), st.integers(1, 9))
def test_equal_grams_have_equal_hashes_and_different_ones_do_not(codes: list[int], gram: int) -> None:
    hashes = gram_hashes(np.array(codes, np.uint64), gram) if len(codes) >= gram else np.empty(0, np.uint64)
    grams = [tuple(codes[at : at + gram]) for at in range(len(codes) - gram + 1)]
    assert len(hashes) == len(grams)
    assert len(set(hashes.tolist())) == len(set(grams))


@given(st.lists(st.integers(0, 5), max_size=80), st.integers(1, 5), st.integers(1, 9))
def test_every_window_holds_a_selected_hash(codes: list[int], gram: int, window: int) -> None:
    _, hashes = winnow(np.array(codes, np.uint64), gram, window)
    every = gram_hashes(np.array(codes, np.uint64), gram).tolist() if len(codes) >= gram else []
    for at in range(max(0, len(every) - window + 1)):
        assert min(every[at : at + window]) in hashes.tolist()
