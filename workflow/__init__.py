"""The workflow: rules, the scripts that they run, and the schema of the configuration."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]  # folder of the project
