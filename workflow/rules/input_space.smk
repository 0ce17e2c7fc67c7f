"""Back to the input space: de-noising."""

INPUT_SPACE_TABLES = {
    "denoising_table": study_table("denoising", results("tables/denoising.csv"), seed=SEED),
}
input_space_figure = partial(
    figure, "Input space", inputs=table(digits="denoising"), script="figures"
)
INPUT_SPACE_FIGURES = {
    "denoising": input_space_figure("error of de-noised digits"),
    "denoised_images": input_space_figure("de-noised digits", params={"seed": SEED}),
}
add_study("input_space", INPUT_SPACE_TABLES, INPUT_SPACE_FIGURES)

TARGETS["input_space"] += drawn("scholkopf_parabola", "scholkopf_clusters")
