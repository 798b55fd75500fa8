"""`report.md`: the same numbers and the same evidence for places that show Markdown.

Input never becomes markup: every character to which Markdown or HTML gives a meaning where it stands is escaped, and an address
or a mention is broken so that no viewer turns it into a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from earned.records import LABELS, AuditRow, CohortRates, Condition, Estimate, Gate, Rates, TaskRates
from earned.report import wording as words
from earned.report.excerpts import Citation
from earned.report.links import show_command
from earned.report.page import Page, Section, SkipGroup
from earned.report.text import clipped, safe_line, safe_text

QUOTE = 600
"""Characters of a quote that are shown."""
_MARKED = re.compile(r"\]\(|(?i:www)\.|\w+|[\\`*\[\]|~$]|://|@[A-Za-z]")
_LEADING = re.compile(r"\A(?:(\d+)([.)])(\s|\Z)|()([#+=-])())")
"""What would begin a heading, a list or a rule at the start of a line."""
_BROKEN = {"://": "&#58;//", "](": "\\]&#40;"}
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def markdown_text(text: str) -> str:
    """The text as one line of inert Markdown."""
    escaped = _MARKED.sub(_inert, safe_line(text).strip(" ").translate(_ENTITIES))
    return _LEADING.sub(_escape_second, escaped)


def markdown_quote(text: str) -> Iterator[str]:
    """The text as lines of a block quote, line breaks and indentation kept."""
    for line in safe_text(clipped(text, QUOTE)).split("\n"):
        bare = line.lstrip(" \t")
        indent = "&nbsp;" * len(line[: len(line) - len(bare)].expandtabs(4))
        yield f"> {indent}{markdown_text(bare)}  "


def markdown_lines(page: Page) -> Iterator[str]:
    """The report, line by line, without line ends."""
    yield from _header(page)
    yield from _rates("All surface passes", page.card.trajectory, page.card.task)
    yield from _cohorts(page.card.cohorts)
    yield from _tasks(page)
    yield from _counts("Categories", "category", page.card.categories)
    yield from _counts("Channels", "channel", page.card.channels)
    yield from ("## Passes", "")
    for section in page.sections:
        yield from _section(section)
    yield from _rows("More passes", page.listed, page.listed_left_out, command=True)
    yield from _rows("Clean passes", page.clean, page.clean_left_out, command=False)
    yield from _skips(page.skips)
    yield from _stamp(page)


def _inert(match: re.Match[str]) -> str:
    found = match.group()
    if found in _BROKEN:
        return _BROKEN[found]
    if found[0] == "@":
        return f"&#64;{found[1]}"
    if found[-1] == ".":
        return f"{found[:-1]}&#46;"
    return _word(found) if found[-1] == "_" or found[-1].isalnum() else f"\\{found}"


def _escape_second(match: re.Match[str]) -> str:
    before, mark, after = (group for group in match.groups() if group is not None)
    return f"{before}\\{mark}{after}"


def _word(word: str) -> str:
    """Underscores inside a word mean nothing in Markdown; those at its ends begin or end emphasis."""
    core = word.strip("_")
    start = len(word) - len(word.lstrip("_"))
    end = len(word) - start - len(core)
    return "\\_" * start + core + "\\_" * end


def _header(page: Page) -> Iterator[str]:
    card = page.card
    yield from ("# Was the pass earned?", "")
    yield (
        f"{markdown_text(', '.join(card.benchmark)) or 'No benchmark'}: {words.counted(card.attempts, 'attempt')} on "
        f"{words.counted(card.tasks, 'task')}, of which {words.counted(card.surface_passes, 'surface pass', 'surface passes')} "
        "audited."
    )
    yield ""


def _rates(title: str, trajectory: Rates, task: Rates) -> Iterator[str]:
    yield from (f"## {markdown_text(title)}", "")
    yield from _rates_table(trajectory, task)
    yield (
        f"{words.method(trajectory.gap)}, in percent. Bounds: from no to all of the insufficient ({trajectory.insufficient}) "
        f"and undecided ({trajectory.undecided}) counted in. Scope: {trajectory.gap.scope}."
    )
    yield ""


def _rates_table(trajectory: Rates, task: Rates) -> Iterator[str]:
    yield from _table_head("unit", "rate", "k/n", "value", "interval", "bounds", "decided only")
    for rates in (trajectory, task):
        for name in ("violation", "neutral", "gap"):
            yield _rate_line(name, getattr(rates, name))
    yield ""


def _rate_line(name: str, estimate: Estimate) -> str:
    numbers = (
        f"{estimate.k}/{estimate.n}",
        words.percent(estimate.value),
        words.interval(estimate.low, estimate.high),
        words.bounds(estimate),
        words.percent(estimate.decided_only),
    )
    return _line(estimate.unit, name, *numbers)


def _cohorts(cohorts: Sequence[CohortRates]) -> Iterator[str]:
    yield from ("## Cohorts", "")
    for cohort in cohorts:
        yield f"### {markdown_text(words.cohort_name(cohort.benchmark, cohort.model, cohort.harness))}"
        rates = cohort.trajectory
        yield ""
        yield (
            f"{words.counted(cohort.attempts, 'attempt')}, "
            f"{words.counted(rates.surface_passes, 'surface pass', 'surface passes')}, {rates.insufficient} insufficient, "
            f"{rates.undecided} undecided."
        )
        yield ""
        yield from _rates_table(cohort.trajectory, cohort.task)
        for name, values in cohort.conditions.items():
            yield f"- {markdown_text(name)}: {markdown_text(', '.join(values))}"
        yield ""


def _tasks(page: Page) -> Iterator[str]:
    yield from ("## Tasks", "")
    yield from _table_head("task", "benchmark", "label", "passes", *LABELS)
    for task in page.tasks:
        yield _line(markdown_text(task.task), markdown_text(task.benchmark), task.label, str(task.passes), *_label_counts(task))
    yield ""
    if page.tasks_left_out:
        yield from (f"{page.tasks_left_out} more tasks are not listed.", "")


def _label_counts(task: TaskRates) -> Iterator[str]:
    return (str(getattr(task, label)) for label in LABELS)


def _counts(title: str, noun: str, counts: dict[str, int]) -> Iterator[str]:
    yield from (f"## {title}", "")
    yield from _table_head(noun, "passes")
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield _line(markdown_text(name), str(count))
    yield ""


def _section(section: Section) -> Iterator[str]:
    row = section.row
    yield from (f"### {row.label}: {markdown_text(row.task)}", "")
    yield f"- trajectory: {markdown_text(words.place(row))}"
    yield f"- cohort: {markdown_text(words.cohort_name(row.benchmark, row.model, row.harness))}"
    yield f"- categories: {markdown_text(', '.join(row.categories)) or 'none'}"
    yield f"- trace {row.completeness}, decided by {row.decided_by}, confidence {row.confidence}"
    for reason in filter(None, (row.why, row.undecided_reason)):
        yield f"- why: {markdown_text(reason)}"
    if told := words.sources(section.audited):
        yield f"- of the telling lines that were added: {markdown_text(told)}"
    yield ""
    if words.is_asked(row):
        yield from _conditions(row)
    yield from _locations(row)
    for citation in section.citations:
        yield from _citation(citation)
    if section.citations_left_out:
        yield from (f"{section.citations_left_out} more pieces of evidence are not shown.", "")


def _conditions(row: AuditRow) -> Iterator[str]:
    conditions: dict[str, Condition | Gate] = {
        f"gate: {row.gate.name}": row.gate,
        "mechanism": row.mechanism,
        "intent": row.intent,
        "grade relevance": row.grade_relevance,
    }
    yield from _table_head("condition", "holds", "why", "evidence")
    for name, condition in conditions.items():
        yield _line(name, words.met(condition), markdown_text(condition.why), _numbers(condition.evidence))
    yield ""


def _locations(row: AuditRow) -> Iterator[str]:
    if not row.locations:
        return
    yield from _table_head("channel", "control surface", "fault", "addresses", "evidence")
    for location in row.locations:
        addresses = markdown_text(clipped(", ".join(location.addresses), QUOTE))
        yield _line(
            markdown_text(location.channel),
            markdown_text(location.control_surface),
            location.fault_side,
            addresses,
            _numbers(location.evidence),
        )
    yield ""


def _citation(citation: Citation) -> Iterator[str]:
    why = f": {markdown_text(clipped(citation.why, QUOTE))}" if citation.why else ""
    yield f"**{citation.number}** {citation.role}, step {citation.step}{why}"
    yield ""
    yield from markdown_quote(citation.quote)
    yield ""


def _rows(title: str, rows: Sequence[AuditRow], left_out: int, *, command: bool) -> Iterator[str]:
    if not rows:
        return
    yield from (f"## {title}", "")
    yield from _table_head("label", "task", "trajectory", *(["command"] if command else []))
    for row in rows:
        shown = [show_command(row, row.evidence[0].step if row.evidence else 0)] if command else []
        yield _line(row.label, *map(markdown_text, (row.task, words.place(row), *shown)))
    yield ""
    if left_out:
        yield from (f"{left_out} more are not listed.", "")


def _skips(groups: Iterable[SkipGroup]) -> Iterator[str]:
    yield from ("## Not judged", "")
    yield from _table_head("reason", "count", "meaning", "first")
    for group in groups:
        meaning = words.SKIP_REASONS.get(group.reason, "")
        first = markdown_text(clipped(group.examples[0].path, QUOTE)) if group.examples else ""
        yield _line(markdown_text(group.reason), str(group.total), meaning, first)
    yield ""


def _stamp(page: Page) -> Iterator[str]:
    card, stamp = page.card, page.card.stamp
    yield from ("## Provenance", "")
    facts = {
        "made by": f"earned {stamp.tool_version}, {stamp.time}",
        "judge": ", ".join(card.judges),
        "agreement with people": card.agreement_with_people,
        "tasks": card.task_selection,
        "rules (sha256)": stamp.rules_hash,
        "inputs (sha256)": stamp.inputs_digest,
        "prompt (sha256)": stamp.prompt_hash,
        "seed": "" if stamp.seed is None else str(stamp.seed),
        "cost (USD)": "" if stamp.cost_usd is None else f"{stamp.cost_usd:.2f}",
    }
    for name, value in facts.items():
        if value:
            yield f"- {name}: {markdown_text(value)}"


def _numbers(indices: Iterable[int]) -> str:
    return ", ".join(str(index + 1) for index in indices)


def _table_head(*headings: str) -> Iterator[str]:
    yield _line(*headings)
    yield _line(*("---" for _ in headings))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
