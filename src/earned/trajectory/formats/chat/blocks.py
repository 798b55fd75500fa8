"""What one part of a message is: its text, the call that it makes, the result that it holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from earned.records import Action
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.messages import content_text, decoded_arguments
from earned.trajectory.formats.chat.shapes import Block, Call, Function, Message
from earned.trajectory.tools import action_of

MAX_NESTING = 8
"""Results within parts of results that are taken apart; deeper ones stay JSON."""
_PLAIN = {"type", "text"}
"""What nearly every part holds."""
ActionOf = Callable[[str, Any, str], Action]
"""An action of a tool's name, its decoded arguments and the call's id."""


class Result(NamedTuple):
    """What came back in the same item as the call, or in an item of its own."""

    text: str
    exit_code: int | None = None


def text_of_blocks(content: str | Sequence[Block | str] | None) -> str:
    """The text of a message's content without reasoning, calls and results; images are named in brackets."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(text for text in map(_shown, content) if text)


def _shown(block: Block | str) -> str:
    if isinstance(block, str):
        return block
    if block.text is not None:
        return block.text
    if block.refusal is not None:
        return block.refusal
    kind = block.type or ""
    if not kind or "thinking" in kind or is_call(block) or is_result(block):
        return ""
    return block.content if isinstance(block.content, str) else f"[{kind}]"


def is_call(block: Block) -> bool:
    """Whether a part is a call in the Anthropic notation (`tool_use`, `server_tool_use`, `mcp_tool_use`)."""
    return (block.type or "").endswith("tool_use")


def is_result(block: Block) -> bool:
    """Whether a part is a result in the Anthropic notation (`tool_result`, `web_search_tool_result`, …)."""
    return (block.type or "").endswith("tool_result")


def result_text(content: Any, depth: int = 0) -> str:
    """Text of a result: a text, a list of parts, or what the provider's own tools return."""
    if isinstance(content, str) or content is None:
        return content or ""
    if depth > MAX_NESTING:
        return as_json(content)
    if isinstance(content, list):
        return "\n".join(_part_text(part, depth) for part in content)
    return _part_text(content, depth) if isinstance(content, dict) else as_json(content)


def _part_text(part: Any, depth: int) -> str:
    """A search hit is its title, address and text, a page what it holds too; without text it is its JSON, an image its type."""
    if not isinstance(part, dict):
        return result_text(part, depth + 1)
    if part.keys() == _PLAIN and isinstance(part["text"], str):
        return str(part["text"])
    texts = [part[key] for key in ("title", "url", "text", "stdout", "stderr", "logs") if isinstance(part.get(key), str)]
    page = part.get("content", part.get("source"))
    if isinstance(page, dict):  # a page that was fetched, a document
        texts.append(result_text(page, depth + 1))
    elif part.get("type") == "text" and isinstance(part.get("data"), str):
        texts.append(part["data"])
    if texts:
        return "\n".join(text for text in texts if text)
    kind = part.get("type")
    if isinstance(part.get("content"), (str, list)):
        return result_text(part["content"], depth + 1)
    return f"[{kind}]" if isinstance(kind, str) and ("image" in kind or "audio" in kind) else as_json(part)


def call_action(call: Call | str, act: ActionOf) -> Action:
    """The action of one entry of `tool_calls`; some exports write an entry as JSON text."""
    if isinstance(call, str):
        try:
            return call_action(msgspec.json.decode(call, type=Call), act)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            return Action(kind="other", arguments=call)
    function = call.function
    call_id = call.id or call.call_id or ""
    if isinstance(function, Function):
        return act(function.name or "", decoded_arguments(function.arguments), call_id)
    given = next((value for value in (call.arguments, call.args, call.input) if value is not None), None)
    return act(function or call.name or "", decoded_arguments(given), call_id)


def block_action(block: Block, act: ActionOf) -> Action:
    """The action of one `tool_use` part."""
    return act(block.name or "", decoded_arguments(block.input), block.id or "")


def item_action(item: Message, act: ActionOf) -> Action:
    """The action of one call item of the Responses notation."""
    call_id = item.call_id or (item.id if isinstance(item.id, str) else "") or ""
    action = item.action if isinstance(item.action, dict) else {}
    kind = item.type or ""
    if kind == "local_shell_call":
        return act("local_shell", {"command": action.get("command"), "cwd": action.get("working_directory")}, call_id)
    if kind == "shell_call":
        commands = action.get("commands")
        lines = [line for line in commands if isinstance(line, str)] if isinstance(commands, list) else []
        return act("shell", {"command": "\n".join(lines)}, call_id)
    if kind == "apply_patch_call":
        return act("apply_patch", {"input": _patch(item.operation)}, call_id)
    if kind == "web_search_call":
        return _web_action(action, call_id)
    if kind == "file_search_call":
        return act("file_search", {"query": content_text(item.queries)}, call_id)
    if kind == "code_interpreter_call":
        return act("code_interpreter", {"code": item.code or ""}, call_id)
    if kind == "computer_call":
        return act("computer", action, call_id)
    given = item.arguments if item.arguments is not None else item.input
    return act(item.name or kind.removesuffix("_call"), decoded_arguments(given), call_id)


def _web_action(action: dict[str, Any], call_id: str) -> Action:
    url = action.get("url")
    if isinstance(url, str):
        return action_of("web_fetch", {"url": url}, call_id)
    return action_of("web_search", {"query": action.get("query")}, call_id)


def _patch(operation: Any) -> str:
    """The operation of `apply_patch_call` as the text that the tool of that name takes."""
    given = operation if isinstance(operation, dict) else {}
    verb = {"create_file": "Add", "delete_file": "Delete"}.get(str(given.get("type")), "Update")
    diff = given.get("diff")
    body = f"{diff}\n" if isinstance(diff, str) and diff else ""
    return f"*** Begin Patch\n*** {verb} File: {given.get('path', '')}\n{body}*** End Patch"


def own_result(item: Message) -> Result | None:
    """The result that stands in the call's own item: the provider ran the tool. None when there is none."""
    for value in (item.output, item.outputs, item.results, item.error):
        if value is not None and value != []:
            return Result(result_text(value))
    return None


def item_result(item: Message) -> Result:
    """The result of one `…_output` item."""
    code: int | None = None
    for part in item.output if isinstance(item.output, list) else ():
        ended = part.get("outcome") if isinstance(part, dict) else None
        found = ended.get("exit_code") if isinstance(ended, dict) else None
        code = found if isinstance(found, int) else code
    return Result(result_text(item.output if item.output is not None else text_of_blocks(item.content)), code)


def reasoning_text(message: Message) -> str:
    """The reasoning that stands beside the content; encrypted reasoning is none."""
    for value in (message.reasoning_content, message.reasoning, message.thinking, message.summary):
        text = "" if value is None else _inner(value) if isinstance(value, dict) else content_text(value)
        if text:
            return text
    if message.thinking_blocks is None and message.raw_data is None:
        return ""
    blocks = message.thinking_blocks or (message.raw_data.thinking_blocks if message.raw_data else None) or ()
    return "\n".join(block.thinking for block in blocks if isinstance(block, Block) and block.thinking)


def _inner(given: dict[str, Any]) -> str:
    """Of an object such as `{summary, content, text}`."""
    return next((text for key in ("text", "content", "summary") if (text := content_text(given.get(key)))), "")
