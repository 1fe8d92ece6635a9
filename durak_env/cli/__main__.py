"""``python -m durak_env.cli``."""

from durak_env.cli import main

if __name__ == "__main__":
    main(prog_name="durak")
