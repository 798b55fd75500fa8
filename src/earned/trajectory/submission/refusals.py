"""Whether a tool or a command said that it changed nothing: then an edit is no part of what was submitted."""

from __future__ import annotations

import re

from earned.records import Action, Observation

BEGIN = 2000
"""Characters of a result in which a tool says that it refused."""
_STARTS = (
    *("ERROR", "Error:", "[ERROR]", "<tool_use_error>", "<error>", "Error executing tool", "Error validating"),
    *("Error editing file", "String to replace not found", "File has not been read", "File has been modified since"),
    *("No changes to make", "Failed to edit", "Failed to write", "Failed to apply", "apply_patch verification failed"),
    *("patch rejected", "Invalid patch", "oldString not found", "old_string not found", "Permission to use", "User rejected"),
    *("The user doesn't want to proceed", "[An error occurred during execution.]", "Action rejected:", "Invalid `"),
    *("Permission denied", "permission denied", "EACCES", "EROFS", "Read-only file system", "User denied", "Denied by user"),
    *("The user rejected", "User declined", "The user declined", "Tool use was rejected", "Tool execution was rejected"),
    *("The tool call was rejected", "The tool execution failed", "<error_details>", "Unable to apply", "Cannot edit"),
    *("Unknown tool", "Invalid tool", "No such tool", "Tool call failed", "tool call failed", "Tool execution failed"),
    *("Could not write", "Could not edit", "Could not create", "Cannot write", "Cannot create", "Unable to write"),
    *("Traceback (most recent call last)", "PermissionError", "OSError", "FileNotFoundError", "IsADirectoryError"),
    *("[Request interrupted by user", "Request interrupted by user"),
)
_ANYWHERE = (
    *("No replacement was performed", "did not appear verbatim", "Your changes have NOT been applied"),
    *("The edit was not applied", "String to replace not found", "but replace_all is false"),
    *("0 occurrences found for old_string", "apply_patch verification failed", "Failed to find expected lines"),
    *("Failed to find context", "Your proposed edit has introduced new syntax error", "No sufficiently similar match found"),
    "Found multiple matches for oldString",
)
_MARKED = re.compile(
    r"\w{1,40}ToolUse:\w{1,80} hook error"
    r"|Tool ['\"`]?[\w.:-]{1,100}['\"`]? (?:was |is )?(?:not found|does not exist|not available|unknown)"
    r'|\{\s{0,20}"(?:success|ok)"\s{0,5}:\s{0,5}false\b|\{\s{0,20}"error"\s{0,5}:\s{0,5}(?:"[^"]|\{)'
    r'|\{\s{0,20}"(?:is_?error|isError)"\s{0,5}:\s{0,5}true\b'
    r'|\{\s{0,20}"status"\s{0,5}:\s{0,5}"(?:error|failed|failure|denied)"'
)
"""Hooks that block a call, tools that a harness does not have, and results in JSON that say so first."""
_UNFITTING = (
    *("patch does not apply", "error: corrupt patch", "error: No valid patches", "Only garbage was found in the patch"),
    *("apply_patch verification failed", "Invalid patch hunk", "Failed to find expected lines", "hunk FAILED", "hunks FAILED"),
)
"""What `git apply`, `patch` and `apply_patch` say when they changed nothing."""

_REASONS = (
    *("No such file or directory", "Permission denied", "Is a directory", "Read-only file system", "Not a directory"),
    *("No space left on device", "Operation not permitted", "cannot overwrite existing file", "File name too long"),
)
"""Why a system does not open a file to be written; zsh names them in small letters, before the file."""


def was_refused(action: Action, result: Observation | None) -> bool:
    """Whether the edit tool said that it changed nothing."""
    if result is None:
        return False
    is_own = action.tool == "apply_patch" or (action.kind in {"edit", "write"} and result.action >= 0)
    if is_own and result.exit_code not in {None, 0}:
        return True
    begin = result.text[:BEGIN].lstrip()
    return begin.startswith(_STARTS) or _MARKED.match(begin) is not None or any(words in begin for words in _ANYWHERE)


def patch_failed(result: Observation | None) -> bool:
    """Whether a command that applies a patch said that it did not."""
    return result is not None and any(words in result.text for words in _UNFITTING)


def write_failed(result: Observation | None, path: str) -> bool:
    """Whether a shell said that it could not write to a path."""
    if result is None or not path:
        return False
    text = result.text
    said = any(f"{name}: {why}" in text for name in (path, f"'{path}'", f"\u2018{path}\u2019") for why in _REASONS)
    return said or any(f"{why.lower()}: {path}\n" in f"{text}\n" for why in _REASONS) or "sed: -e expression" in text
