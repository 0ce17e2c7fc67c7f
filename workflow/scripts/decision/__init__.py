"""What the sweep comes to: a sentence, a model, an embedding and a script for every dataset."""
