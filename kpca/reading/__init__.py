"""Reading of tables: what cells mean, by a notation that evidence of the file settles."""
