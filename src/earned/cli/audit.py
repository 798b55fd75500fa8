"""`earned audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from earned.cli.printing import print_json, say

OVER_UNDECIDED, FAIL_ON = 1, 2


@click.command(no_args_is_help=False)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("earned-audit"), show_default=True, help="The audit folder."
)
@click.option("--judge", default="rules", show_default=True, metavar="JUDGE", help="Who labels: rules (needs no key).")
@click.option("--escalate", metavar="MODEL", help="Another judge for disagreements (not in this version).")
@click.option("--protected", type=click.Path(path_type=Path), help="Folder of protected content, one folder a task.")
@click.option("--outcomes", multiple=True, type=click.Path(path_type=Path), help="File that says who passed; repeatable.")
@click.option("--scorer", default="", metavar="NAME", help="The scorer that decides, where a record names several.")
@click.option("--threshold", type=float, metavar="X", help="Reward from which on it passed, where that is open.")
@click.option("--benchmark", default="", metavar="NAME", help="Name of the benchmark, where the record has none or another.")
@click.option("--model", default="", metavar="NAME", help="Name of the model, likewise.")
@click.option("--harness", default="", metavar="NAME", help="Name of the harness, likewise.")
@click.option("--jobs", type=click.IntRange(1), help="Processes [default: one a core].")
@click.option("--engine", default="local", show_default=True, help="Where the work runs.")
@click.option("--fail-on", metavar="EXPR", help="Exit 2 when true, such as 'gap>0.05' or 'violation.high>0.1 or undecided>3'.")
@click.option(
    "--max-undecided", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Share above which to exit 1."
)
@click.option("--no-prefilter", is_flag=True, help="Parse every command, also those that cannot matter; same findings, slower.")
@click.option("--dry-run", is_flag=True, help="Only say what would be audited.")
@click.option("--export", type=click.Path(path_type=Path), help="Also write one JSON line a surface pass.")
@click.option("--explain", metavar="CATEGORY", help="Say what a category means, what must hold, and give examples.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the integrity card as JSON, and nothing else.")
def audit(paths: tuple[Path, ...], **options: Any) -> int:
    """Label every surface pass below PATHS, with evidence, and report the integrity gap.

    \b
    Example:
      earned audit jobs/2026-11-30__10-00-00 --out audit --fail-on 'violation>0'
    """  # noqa: D301  # click's mark for lines that stay as they are
    if options["explain"] is not None:
        return _explain(options["explain"], as_json=options["as_json"])
    if not paths:
        raise click.UsageError("Expected at least one PATH with trajectories; found none.")
    if options["dry_run"]:
        return _dry_run(paths, options)
    return _audit(paths, options)


def _audit(paths: tuple[Path, ...], options: dict[str, Any]) -> int:
    from earned.cli.progress import shown_progress
    from earned.flows.audit import audit as run

    is_quiet = options["quiet"] or options["as_json"]
    with shown_progress("auditing", quiet=is_quiet) as progress:
        result = run(
            paths,
            out=options["out"],
            judge=options["judge"],
            escalate=options["escalate"],
            protected=options["protected"],
            outcomes=options["outcomes"],
            scorer=options["scorer"],
            threshold=options["threshold"],
            benchmark=options["benchmark"],
            model=options["model"],
            harness=options["harness"],
            jobs=options["jobs"],
            engine=options["engine"],
            fail_on=options["fail_on"],
            max_undecided=options["max_undecided"],
            prefilter=not options["no_prefilter"],
            export=options["export"],
            progress=progress,
        )
    if options["as_json"]:
        print_json(result.card)
    elif not options["quiet"]:
        _print_table(result.folder)
    for note in result.notes if not options["quiet"] else ():
        say(f"earned: {note}")
    if result.is_over_undecided:
        limit = options["max_undecided"]
        click.echo(f"earned: {result.card.undecided} of {result.card.surface_passes} undecided, over {limit:.0%}", err=True)
        return OVER_UNDECIDED
    if result.fails:
        click.echo(f"earned: --fail-on {options['fail_on']} is true: {result.fails_why}", err=True)
        return FAIL_ON
    return 0


def _print_table(folder: Path) -> None:
    from earned.cli.printing import console
    from earned.flows.report import table

    console().print(table(folder))
    click.echo(f"Report: {folder / 'report.html'}")


def _dry_run(paths: tuple[Path, ...], options: dict[str, Any]) -> int:
    from earned.flows.audit import check_request
    from earned.flows.exported import check_export
    from earned.flows.plan import Plan

    check_request(**{name: options[name] for name in ("judge", "escalate", "engine", "fail_on")})
    named, protected, out = options["outcomes"], options["protected"], options["out"]
    check_export(options["export"], "rows", paths, beside=named, protected=protected, out=out)
    with Plan(paths, leave_out=(options["out"],)) as plan:
        pass
    found = {"candidates": plan.candidates, "bytes": plan.size, "shards": len(plan.keys), "companions": dict(plan.companions)}
    if options["as_json"]:
        print_json(found)
    else:
        from earned.report import counted

        others = sum(plan.companions.values())
        click.echo(
            f"Would read {counted(plan.candidates, 'candidate')} ({plan.size / 1e6:.1f} MB of source files) in "
            f"{counted(len(plan.keys), 'shard')}; with them {counted(others, 'further file')}. Nothing was written."
        )
    return 0


def _explain(name: str, *, as_json: bool) -> int:
    from earned.flows.explain import explain

    row = explain(name)
    if as_json:
        print_json(row)
        return 0
    click.echo(f"{row['name']} ({row['kind']})\n  {row['definition']}")
    click.echo(f"  gate: {row['gate']}; intrinsically deceptive: {'yes' if row['intrinsically_deceptive'] else 'no'}")
    click.echo(f"  channel: {row['channel']}; control surface: {row['control_surface']}; fault side: {row['fault_side']}")
    click.echo(f"  fires:     {row['example']}\n  does not:  {row['counter_example']}")
    for rule in row["rules"]:
        click.echo(f"\n  rule {rule['id']}@{rule['version']}: {rule['definition']}")
        click.echo(f"    fires:     {_example(rule['fires'])}\n    does not:  {_example(rule['must_not'])}")
    for entry in row["routes"]:
        click.echo(f"\n  route {entry['id']}: {entry['name']} ({entry['channel']}, {entry['control_surface']})")
    for scheme, names in row["also_called"].items():
        click.echo(f"\n  {scheme} calls it: {', '.join(names)}")
    return 0


def _example(example: dict[str, Any]) -> str:
    text = example["command"] or f"write {example['path']}: {example['text']!r}"
    return f"{text} (ancestor: {example['ancestor']})" if example["ancestor"] else text
