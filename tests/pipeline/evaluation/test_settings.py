"""The `evaluation` section as the evaluation uses it."""

import yaml

from pipeline.evaluation.settings import Settings
from tests.pipeline.configuration.test_config import GOOD, ROOT
from tests.pipeline.evaluation.problems import SETTINGS


def test_lists_come_in_ascending_order() -> None:
    section = GOOD["evaluation"] | {"n_components": [8, 1, 2], "C": [10, 1]}

    settings = Settings.from_config(section)

    assert (settings.n_components, settings.C) == ((1, 2, 8), (1.0, 10.0))


def test_the_default_section_is_complete() -> None:
    section = yaml.safe_load((ROOT / "config/config.yaml").read_text())["evaluation"]

    assert vars(Settings.from_config(section)).keys() == section.keys()


def test_components_beyond_the_rank_count_as_the_rank() -> None:
    assert SETTINGS.components_up_to(1) == [1]
    assert SETTINGS.components_up_to(0) == []
