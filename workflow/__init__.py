"""The workflow: rules, the scripts that they run, the schema of the configuration."""
