"""The old name of `kpca.study.compare`, kept for one release."""

import sys

from kpca.study.compare import main

if __name__ == "__main__":
    sys.exit(main())
