"""Decision per dataset: a sentence, a model, an embedding and a script."""
