"""The command line: options in, exit status out. One file per command; typer is only here."""
