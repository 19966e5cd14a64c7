"""`python -m tesuji` is the command `tesuji`."""

from tesuji.interfaces.cli import main

if __name__ == "__main__":
    main()
