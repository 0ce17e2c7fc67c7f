"""What the page recommends follows from intervals."""

import numpy as np
import pandas as pd
import pytest
import yaml

from tests.workflow.page.conftest import pictures
from workflow.page.trust import EXACT, Trust, trust

CASES = """
- [{}, pca, "compared with 0.500 (kernel PCA, inconclusive) and 0.550 "]
- [{training: 0.2}, view, "Use kernel PCA for neighbours: trustworthiness 0.700 "]
- [{training: 0.2, training_distances: -0.3}, pca, "0.200 (kernel PCA) and 0.550 "]
- [{training: 0.2, training_continuity: -0.3}, pca, Use kernel PCA for neighbours]
- [{training: 0.09}, pca, Use PCA for neighbours]
- [{t-SNE: 0.3}, tsne, "Use t-SNE for neighbours: trustworthiness 0.800"]
"""


@pytest.mark.parametrize(("gains", "first", "sentence"), yaml.safe_load(CASES))
def test_a_picture_is_first_if_it_is_shown_to_be_better(gains, first, sentence):
    trusted = trust(pd.DataFrame(pictures(**gains)))
    assert trusted.first == first
    assert sentence in trusted.words
    assert trusted.words.endswith("Only PCA and kernel PCA can place new rows one by one.")


def test_without_intervals_nothing_is_claimed():
    rows = [row | {"gain_low": np.nan, "gain_high": np.nan} for row in pictures(training=0.4)]
    trusted = trust(pd.DataFrame(rows))
    assert trusted.first == "pca"
    assert "Use PCA for neighbours" in trusted.words
    assert trust(pd.DataFrame()) == Trust("view", "")
    assert trust(pd.DataFrame(rows[:1]))[:3] == ("pca", EXACT, 0.6)
