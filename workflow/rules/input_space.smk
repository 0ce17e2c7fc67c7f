"""Back to the input space: de-noising."""

INPUT_SPACE_TABLES = {
    "denoising_table": study_table("denoising", results("tables/denoising.csv"), seed=SEED),
}
INPUT_SPACE_FIGURES = {
    "denoising": figure("Input space", "error of de-noised digits", of_files(digits="denoising")),
    "denoised_images": figure(
        "Input space", "de-noised digits", of_files(digits="denoising"), params={"seed": SEED}
    ),
}
add_study_tables("input_space", INPUT_SPACE_TABLES)
add_figures("input_space", INPUT_SPACE_FIGURES)

TARGETS["input_space"] = [
    *tables_of(INPUT_SPACE_TABLES),
    *shown(INPUT_SPACE_FIGURES),
    *drawn("scholkopf_parabola", "scholkopf_clusters"),
]
