"""Scripts of the rules, in one folder per study, with the captions of its figures."""
