"""python -m tessera COMMAND ... is the program."""

from tessera.program import main

main()
