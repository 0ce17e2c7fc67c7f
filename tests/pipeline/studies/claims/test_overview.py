import pandas as pd

from kpca.pipeline.studies.claims.overview import families


def test_cases_of_one_statement_are_one_line_and_groups_are_in_order():
    claims = pd.DataFrame(
        {
            "claim": ["11-crossover-200", "2-new-rbf-wine", "2-new-poly-wine", "11-crossover-400"],
            "verdict": ["holds", "fails", "undecided", "holds"],
        }
    )
    table = families(claims, {"rbf", "poly", "wine"})
    assert table.to_dict("list") == {
        "group": [2, 11],
        "name": ["new", "crossover"],
        "holds": [0, 2],
        "undecided": [1, 0],
        "fails": [1, 0],
    }
