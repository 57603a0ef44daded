"""The loop between a model and the tools, for the common kinds of model API.

Each loop sends the conversation and the tools' definitions, runs the calls that the model asks for
on this machine, sends the results back, and ends when the model answers without a call. In place of
a model stands `FixedReplies`, so that this runs offline and the same each time; for a real one put
the request of its client library in place of ``model.create``. Nothing is sent anywhere by the
package itself: what a hosted model gets to see is what you send it.
"""

import json
from collections.abc import Callable
from typing import Any

from synthon.integrations import tool_answer
from synthon.tool_definitions import get_tool_definitions

QUESTION = "What do phenol and aniline share?"
Message = dict[str, Any]


class FixedReplies:
    """Stands in for a model: gives the prepared replies, and keeps what it was asked."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []

    def create(self, **request: Any) -> Any:
        self.requests.append(json.loads(json.dumps(request)))
        return self.replies.pop(0)


def chat(model: FixedReplies) -> list[Message]:
    """The loop of chat-completion APIs, and of most programs that run an open model on your own
    machine: definitions in the shape ``chat-function``."""
    messages: list[Message] = [{"role": "user", "content": QUESTION}]
    tools = get_tool_definitions("chat-function", toolset="molecules")
    while True:
        reply = model.create(messages=messages, tools=tools)
        messages.append(reply)
        if not reply.get("tool_calls"):
            return messages
        for call in reply["tool_calls"]:
            asked = call["function"]
            answer = json.dumps(tool_answer(asked["name"], asked["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": answer})


def responses(model: FixedReplies) -> list[Message]:
    """The loop of APIs whose input is a flat list of items: shape ``function``."""
    items: list[Message] = [{"role": "user", "content": QUESTION}]
    tools = get_tool_definitions("function", toolset=["find_mcs"])
    while True:
        output = model.create(input=items, tools=tools)
        items += output
        calls = [item for item in output if item["type"] == "function_call"]
        if not calls:
            return items
        for call in calls:
            answer = json.dumps(tool_answer(call["name"], call["arguments"]))
            items.append(
                {"type": "function_call_output", "call_id": call["call_id"], "output": answer}
            )


def blocks(model: FixedReplies) -> list[Message]:
    """The loop of APIs whose messages are lists of blocks: shape ``input-schema``."""
    messages: list[Message] = [{"role": "user", "content": QUESTION}]
    tools = get_tool_definitions("input-schema", toolset=["find_mcs"])
    while True:
        reply = model.create(messages=messages, tools=tools)
        messages.append({"role": "assistant", "content": reply["content"]})
        if reply["stop_reason"] != "tool_use":
            return messages
        results = []
        for block in reply["content"]:
            if block["type"] == "tool_use":
                answer = tool_answer(block["name"], block["input"])
                results.append(
                    {
                        "type": "tool_result",
                        "tool_use_id": block["id"],
                        "content": json.dumps(answer),
                        "is_error": "error" in answer,
                    }
                )
        messages.append({"role": "user", "content": results})


# The replies: a call with a misspelt argument, the corrected call, the answer.

PAIR = {"query_smiles": "c1ccccc1O", "target_smiles": "c1ccccc1N"}
CALLS: list[dict[str, Any]] = [{**PAIR, "timeout": 500}, {**PAIR, "timeout_ms": 500}]
ANSWER = "They share six atoms; the search was completed, so no larger part exists."


def chat_replies() -> FixedReplies:
    def asking(number: int) -> Message:
        function = {"name": "find_mcs", "arguments": json.dumps(CALLS[number])}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    return FixedReplies(asking(0), asking(1), {"role": "assistant", "content": ANSWER})


def responses_replies() -> FixedReplies:
    def asking(number: int) -> list[Message]:
        call = {"type": "function_call", "call_id": f"c{number}", "name": "find_mcs"}
        return [{**call, "arguments": json.dumps(CALLS[number])}]

    end = [{"type": "message", "content": [{"type": "output_text", "text": ANSWER}]}]
    return FixedReplies(asking(0), asking(1), end)


def blocks_replies() -> FixedReplies:
    def asking(number: int) -> Message:
        block = {"type": "tool_use", "id": f"t{number}", "name": "find_mcs", "input": CALLS[number]}
        return {"stop_reason": "tool_use", "content": [block]}

    end = {"stop_reason": "end_turn", "content": [{"type": "text", "text": ANSWER}]}
    return FixedReplies(asking(0), asking(1), end)


LOOPS: dict[str, tuple[Callable[[FixedReplies], list[Message]], Callable[[], FixedReplies]]] = {
    "chat-function": (chat, chat_replies),
    "function": (responses, responses_replies),
    "input-schema": (blocks, blocks_replies),
}


def main() -> None:
    for shape, (loop, replies) in LOOPS.items():
        model = replies()
        messages = loop(model)
        print(f"{shape}: {len(model.requests)} requests, {len(messages)} messages")
    print("answer:", ANSWER)


if __name__ == "__main__":
    main()
