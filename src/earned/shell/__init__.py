"""Commands and inline programs to facts: parsed, never run, no judgement."""

from earned.shell.facts import command_facts, program_facts
from earned.shell.interest import interesting
from earned.shell.session import Session, located

__all__ = ["Session", "command_facts", "interesting", "located", "program_facts"]
