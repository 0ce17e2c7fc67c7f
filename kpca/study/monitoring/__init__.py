"""The model of ordinary rows, a chart of new ones along time, and a simulated process."""
