"""Back to the input space: de-noising."""

INPUT_SPACE_TABLES = {
    "denoising_table": study_table("denoising", results("tables/denoising.csv"), seed=SEED),
}
INPUT_SPACE_FIGURES = {
    "denoising": figure("Input space", "error of de-noised digits", table(digits="denoising")),
    "denoised_images": figure(
        "Input space", "de-noised digits", table(digits="denoising"), params={"seed": SEED}
    ),
}
add_study("input_space", INPUT_SPACE_TABLES, INPUT_SPACE_FIGURES)

TARGETS["input_space"] += drawn("scholkopf_parabola", "scholkopf_clusters")
