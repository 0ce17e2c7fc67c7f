"""Python that applies a saved model to new rows."""


def usage(model: str, *, predicts: bool) -> str:
    """Return lines of Python for a model file.

    Parameters
    ----------
    model : str
        The file.
    predicts : bool
        Whether it holds a predictor; else its components are computed.

    Examples
    --------
    >>> print(usage("results/my/predictor.npz", predicts=True))
    import kpca
    from kpca.reading.formats import read_table
    <BLANKLINE>
    model = kpca.load('results/my/predictor.npz')  # steps of scikit-learn, the first reads cells
    print(model.predict(read_table("new.csv")))
    """
    action = "predict" if predicts else "transform"
    return "\n".join(
        [
            "import kpca",
            "from kpca.reading.formats import read_table",
            "",
            f"model = kpca.load({model!r})  # steps of scikit-learn, the first reads cells",
            f'print(model.{action}(read_table("new.csv")))',
        ]
    )
