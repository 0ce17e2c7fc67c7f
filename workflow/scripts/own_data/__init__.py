"""Further analyses of a user's rows: features, noise, novel rows, landmarks."""
