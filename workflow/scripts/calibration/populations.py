"""Populations of which the truth is known, since as many rows as needed can be drawn.

Imported while the Snakefile is parsed, hence the standard library only.
"""

TITLES = {
    "plane": "plane: no improvement",
    "curved": "curved plane: small improvement",
    "ring": "ring: large improvement",
    "spirals": "spirals: large improvement",
    "pocket": "pocket: rare rows",
    "unbalanced": "unbalanced: a class of 3 %",
    "noise": "noise: no signal",
    "moons": "moons: raw features win",
    "roll": "Swiss roll: regression",
    "clusters": "clusters: three classes",
    "groups12": "12 groups",
    "groups20": "20 groups",
    "groups40": "40 groups",
    "rare_ring": "ring with a class of 5 %",
    "two_sides": "class of 5 % on two sides",
    "wrong_labels": "ring, 20 % wrong labels",
    "ring_groups": "ring of 30 groups",
    "ten_classes": "ten classes",
    "binary": "binary columns: raw features win",
    "checkerboard": "checkerboard: raw features win",
    "wide": "300 columns",
    "heavy_tails": "heavy tails",
    "bent": "bent plane: middle improvement",
    "outliers": "regression with outliers",
}
GROUPS = {"groups12": 12, "groups20": 20, "groups40": 40, "ring_groups": 30}
ROWS: dict[str, tuple[int, ...]] = dict.fromkeys(TITLES, (60, 150))
ROWS |= dict.fromkeys((*GROUPS, "noise", "moons", "clusters", "ten_classes"), (150,))
ROWS |= dict.fromkeys(("rare_ring", "two_sides"), (200,))
ROWS |= dict.fromkeys(("wrong_labels", "binary"), (80,))
ROWS |= dict.fromkeys(("checkerboard", "heavy_tails", "outliers"), (100,)) | {"wide": (60,)}
ROWS["plane"], ROWS["bent"] = (60, 150, 500), (400,)
ROWS["unbalanced"] = (500,)  # fewer rows of a class are refused

CODE = "32c52b1192409cbf"
"""Digest of the code that chose the settings of the shipped answers; see `effects.DECIDES`."""
