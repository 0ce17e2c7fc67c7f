"""Large n: how many landmarks are enough, and what replaces the exact fit where it no longer fits."""

# For the rows of a user's file; otherwise of a Swiss roll and the digits.
LANDMARK_ROWS = {"datasets": made_of("datasets", ROWS)} if "data" in config else {}
LANDMARK_ERRORS = table(errors="landmarks", sampling="landmarks_sampling")

LARGE_N_TABLES = {
    "landmark_tables": study_table(
        "landmarks",
        LANDMARK_ERRORS
        | {
            "enough": reported(
                "tables/landmarks_enough.csv",
                "Large n",
                "how many landmarks are enough",
                "large_n/landmarks_enough",
            )
        },
        LANDMARK_ROWS,
        seed=SEED,
    )
}
LARGE_N_FIGURES = {
    "landmarks": figure("Large n", "landmarks beside sampling", LANDMARK_ERRORS),
}
add_study("large_n", LARGE_N_TABLES, LARGE_N_FIGURES)

if QUICK or not ROWS and "data" in config:
    TARGETS["large_n"] = []
