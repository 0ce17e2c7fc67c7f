"""``python -m kpca.command`` is the command ``kpca``."""

from kpca.command import main

raise SystemExit(main())
