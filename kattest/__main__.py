"""``python -m kattest``: the same program as the ``kattest`` script."""

from kattest.cli.entry import main

if __name__ == "__main__":
    main()
