"""python -m cuberails.cli"""

import sys

from cuberails.cli.command import main

sys.exit(main())
