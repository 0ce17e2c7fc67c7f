from kpca.blocks import blocks


def test_blocks_cover() -> None:
    assert [list(range(10)[part]) for part in blocks(10, 4)] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]
