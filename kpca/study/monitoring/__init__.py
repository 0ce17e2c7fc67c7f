"""The model of ordinary rows, a chart of new rows along time, and a simulated process."""
