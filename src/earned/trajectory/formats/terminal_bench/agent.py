"""What the agent of a trial did, from the best source that its folder holds, and why it is not shown where it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from earned.errors import FormatError
from earned.records import Usage
from earned.trajectory.account import Account
from earned.trajectory.formats.harbor.native import native_logs, read_native
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps, acts_in
from earned.trajectory.terminal.acts import Session, Told, append_acts, append_typed
from earned.trajectory.terminal.cast import read_cast
from earned.trajectory.terminal.episodes import read_episodes, read_marks
from earned.trajectory.terminal.keys import Typed, typed_in
from earned.trajectory.terminal.log import MAX_LOG, Log, read_log_text, read_pane

COMMANDS, CAST, LOG, PANE = "commands.txt", "sessions/agent.cast", "sessions/agent.log", "panes/post-agent.txt"
AGENT_LOGS = "agent-logs/"


class Known(NamedTuple):
    """What the agent's part of a trial says besides its steps."""

    is_terminal: bool = False
    """The acts stand in a terminal's text only."""
    model: str = ""
    harness: str = ""
    usage: Usage = Usage()


class AgentReader:
    """Appends the agent's steps. `files`: name below the trial -> path."""

    def __init__(self, reading: Reading, files: Mapping[str, str], steps: Steps, session: Session) -> None:
        self.reading = reading
        self.files = files
        self.steps = steps
        self.session = session
        self.told = Told()
        self.account = Account()
        self.has_record = False

    def read(self) -> Known:
        """From the best source that is there; where nothing shows an act, the reason is noted."""
        self.session = self.session._replace(typed=self._typed(), place=COMMANDS)
        if self._native() or self._episodes():
            return self._known(is_terminal=False)
        start = self.steps.next
        self._terminal()
        acts = acts_in(self.steps.steps[start:])
        if not acts:
            self._missing()
        return self._known(is_terminal=bool(acts))

    def read_alone(self, name: str) -> Known:
        """From the one file that there is."""
        is_cast = self.reading.candidate.recognised.startswith("an asciinema header")
        self._play(
            name, read_cast(self.reading, self.files[name]) if is_cast else read_log_text(self.reading, self.files[name])
        )
        acts = acts_in(self.steps.steps)
        if not acts:
            self._missing()
        return self._known(is_terminal=bool(acts))

    def _known(self, *, is_terminal: bool) -> Known:
        account = self.told.account or self.account
        return Known(is_terminal, account.model, account.harness or self.told.printed_by, account.usage)

    def _typed(self) -> Sequence[Typed]:
        path = self.files.get(COMMANDS)
        if path is None:
            return ()
        try:
            text = self.reading.text(path, limit=MAX_LOG)
        except FormatError as error:
            self.reading.oddities.add(f"{COMMANDS} cannot be read: {error}", path)
            return ()
        return tuple(typed_in(enumerate(text.split("\n"), 1)))

    def _native(self) -> bool:
        """A log that the agent's own program wrote."""
        own = {
            f"agent/{name.removeprefix(AGENT_LOGS)}": path for name, path in self.files.items() if name.startswith(AGENT_LOGS)
        }
        native = read_native(native_logs(own, ""), self.reading, self.steps)
        if native is None:
            return False
        for what in native.unread:
            self.steps.missing(f"the agent's own log {what}", step=-1)
        self.account = native.accounts[0]
        self.reading.also = f"steps from the agent's own log {native.names}, preferred to the terminal's text"
        return True

    def _episodes(self) -> bool:
        own = {name.removeprefix(AGENT_LOGS): path for name, path in self.files.items() if name.startswith(AGENT_LOGS)}
        mark = self.steps.mark()
        if read_episodes(self.reading, own, self.steps):
            self.reading.also = "steps from the episodes in agent-logs/, preferred to the terminal's text"
            return True
        self.steps.back_to(mark)
        return False

    def _terminal(self) -> None:
        """The terminal's text: of the recording where Terminus may have marked it, else the raw log, else what is left."""
        is_marked = CAST in self.files and not self.session.is_installed
        for name in (CAST, LOG, PANE) if is_marked else (LOG, CAST, PANE):
            log = self._log(name)
            if log is not None and any(log.lines.texts):
                self._play(name, log)
                self.reading.also = f"steps from the terminal's text in {name}"
                return
        append_typed(self.session, self.steps)

    def _log(self, name: str) -> Log | None:
        path = self.files.get(name)
        if path is None:
            return None
        try:
            if name == CAST:
                return read_cast(self.reading, path)
            return read_pane(self.reading, path) if name == PANE else read_log_text(self.reading, path)
        except FormatError as error:
            self.reading.oddities.add(f"{name} cannot be read: {error}", path)
            return None

    def _play(self, name: str, log: Log) -> None:
        self.has_record = True
        if log.is_cut:
            self.steps.missing(f"{name} goes on behind what could be read", step=-1)
        if not read_marks(log, self.steps):
            self.told = append_acts(self.reading, self.files[name], log, self.session, self.steps)

    def _missing(self) -> None:
        """Why no act is shown."""
        told, steps = self.told, self.steps
        recorded = any(name in self.files for name in (COMMANDS, CAST, LOG, PANE)) or len(self.files) == 1
        if not recorded:
            steps.missing("only the result of the attempt is recorded: no terminal, no log of the agent", step=-1)
        elif self.session.is_scripted:
            steps.missing("the benchmark's own solution was run, or nothing: no agent acted", step=-1)
        elif told.hidden:
            steps.missing(f"the agent's program says that it did {told.hidden} acts; its log shows none of them", step=-1)
        elif told.launched or told.last_words:
            begin = "after the start of the agent's program its text" if told.launched else "the terminal's text"
            said = f"; the last line of it: {told.last_words}" if told.last_words else ""
            steps.missing(f"{begin} shows no act that can be told{said}", step=-1)
        elif not (self.has_record or self.session.typed):
            steps.missing("no record of the terminal can be read", step=-1)
        else:
            steps.missing("the terminal's record holds only what the harness typed", step=-1)
