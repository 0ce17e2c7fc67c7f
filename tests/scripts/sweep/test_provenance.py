"""What a run was made of is written in words that can be compared."""

from importlib.metadata import version

from workflow.scripts.sweep.provenance import provenance


def test_versions_code_and_every_parameter_have_a_row_of_their_own() -> None:
    config = {"seed": 1, "kernels": {"linear": {}, "rbf": {"gamma": [0.1, 1]}}}

    table = provenance(config, {"pipeline": "0123456789abcdef"})
    values = table.set_index(["kind", "name"])["value"]

    assert table["name"].is_unique
    assert values["version", "numpy"] == version("numpy")
    assert values["parameter", "kernels.rbf.gamma"] == "[0.1, 1]"
    assert values["parameter", "kernels.linear"] == "{}"
    assert values["code", "pipeline"] == "0123456789abcdef"
