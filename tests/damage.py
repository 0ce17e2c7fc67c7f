"""Damage to the bytes of a file, for tests of what reads it."""


def splice(replace, most=100):
    """Damage to some bytes in the middle, of which others are put in the place."""

    def damage(data, rng):
        start = int(rng.integers(len(data)))
        end = start + int(rng.integers(1, most))
        return data[:start] + replace(data[start:end], rng) + data[end:]

    return damage


BYTES = {
    "flip": splice(lambda old, rng: bytes([old[0] ^ 1 << int(rng.integers(8))]), 2),  # one bit
    "truncate": lambda data, rng: data[: int(rng.integers(len(data)))],
    "overwrite": splice(lambda old, rng: rng.bytes(len(old))),
    "lose": splice(lambda old, rng: b""),
}
