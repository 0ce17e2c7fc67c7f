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
}
GROUPS = {"groups12": 12, "groups20": 20, "groups40": 40}
ROWS: dict[str, tuple[int, ...]] = dict.fromkeys(TITLES, (60, 150))
ROWS |= dict.fromkeys((*GROUPS, "noise", "moons", "clusters"), (150,))
ROWS["plane"] = (60, 150, 500)
ROWS["unbalanced"] = (500,)  # fewer rows of a class are refused
