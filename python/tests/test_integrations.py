"""Model loops with fixed replies, and agent frameworks."""

import json

import pytest
from synthon.integrations import langchain_tools, llamaindex_tools, tool_answer
from synthon.tool_definitions import TOOL_REGISTRY, get_tool_definitions

PAIR = {"query_smiles": "c1ccccc1O", "target_smiles": "c1ccccc1N"}
# What a model asks for: a call with a misspelt argument, then the corrected one.
CALLS = [{**PAIR, "timeout": 500}, {**PAIR, "timeout_ms": 500}]


class Replies:
    """Stands in for a model: gives the prepared replies, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies, self.requests = list(replies), []

    def create(self, **request):
        self.requests.append(json.loads(json.dumps(request)))
        return self.replies.pop(0)


def chat(model):
    """The loop of chat-completion APIs, and of most programs that run models locally."""
    messages = [{"role": "user", "content": "What do phenol and aniline share?"}]
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


def responses(model):
    """The loop of APIs whose input is a flat list of items."""
    items = [{"role": "user", "content": "What do phenol and aniline share?"}]
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


def blocks(model):
    """The loop of APIs whose messages are lists of blocks."""
    messages = [{"role": "user", "content": "What do phenol and aniline share?"}]
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


def check(refused, answered):
    assert refused["error"] == "Unknown tool argument"
    assert refused["hint"] == "did you mean timeout_ms?"
    assert answered["optimal"] and answered["matches"][0]["atom_count"] == 6
    assert answered["budget"]["timeout_ms"] == 500


def test_a_chat_loop():
    def asking(number):
        function = {"name": "find_mcs", "arguments": json.dumps(CALLS[number])}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    model = Replies(asking(0), asking(1), {"role": "assistant", "content": "Six atoms, proved."})
    messages = chat(model)
    check(*[json.loads(m["content"]) for m in messages if m["role"] == "tool"])
    assert len(model.requests) == 3 and messages[-1]["content"] == "Six atoms, proved."


def test_a_responses_loop():
    def asking(number):
        arguments = json.dumps(CALLS[number])
        return [
            {"type": "function_call", "call_id": f"c{number}", "name": "find_mcs", "arguments": arguments}
        ]

    model = Replies(asking(0), asking(1), [{"type": "message", "content": "Six atoms, proved."}])
    items = responses(model)
    check(*[json.loads(i["output"]) for i in items if i.get("type") == "function_call_output"])
    assert model.requests[0]["tools"][0]["strict"] is False


def test_a_loop_of_blocks():
    def asking(number):
        block = {"type": "tool_use", "id": f"t{number}", "name": "find_mcs", "input": CALLS[number]}
        return {"stop_reason": "tool_use", "content": [block]}

    end = {"stop_reason": "end_turn", "content": [{"type": "text", "text": "Six atoms, proved."}]}
    messages = blocks(Replies(asking(0), asking(1), end))
    results = [m["content"][0] for m in messages if m["role"] == "user" and m is not messages[0]]
    check(*[json.loads(result["content"]) for result in results])
    assert [result["is_error"] for result in results] == [True, False]


def test_what_a_model_gets_wrong_is_an_answer():
    assert tool_answer("find_mcs", "{")["code"] == "json.syntax"
    assert tool_answer("find_mcs", "[]")["error"] == "arguments must have JSON type object"
    assert tool_answer("find_mc", {})["hint"] == "did you mean find_mcs?"
    bad = tool_answer("standardise_molecule", {"smiles": "C1CC"})
    assert (bad["code"], bad["argument"], bad["position"]) == ("smiles.unclosed_ring", "smiles", 1)


def test_langchain():
    pytest.importorskip("langchain_core")
    tools = {tool.name: tool for tool in langchain_tools()}
    assert list(tools) == list(TOOL_REGISTRY)
    assert tools["find_mcs"].args.keys() == TOOL_REGISTRY["find_mcs"].input_schema["properties"].keys()
    check(*[tools["find_mcs"].invoke(call) for call in CALLS])
    called = {"type": "tool_call", "id": "1", "name": "find_mcs", "args": CALLS[1]}
    message = tools["find_mcs"].invoke(called)
    assert json.loads(message.content)["optimal"]
    [strict] = langchain_tools("find_mcs", on_error="raise")
    with pytest.raises(ValueError, match="^Unknown tool argument$"):
        strict.invoke(CALLS[0])


def test_llamaindex():
    pytest.importorskip("llama_index.core")
    tools = {tool.metadata.name: tool for tool in llamaindex_tools()}
    assert list(tools) == list(TOOL_REGISTRY)
    check(*[tools["find_mcs"].call(**call).raw_output for call in CALLS])
    schema = tools["find_mcs"].metadata.get_parameters_dict()
    assert schema["properties"]["timeout_ms"]["maximum"] == 30000
    assert schema["required"] == ["query_smiles", "target_smiles"]
    [strict] = llamaindex_tools("find_mcs", on_error="raise")
    with pytest.raises(ValueError, match="^Unknown tool argument$"):
        strict.call(**CALLS[0])


def test_frameworks_that_are_missing_are_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "langchain_core.tools", None)
    monkeypatch.setitem(sys.modules, "llama_index.core.tools", None)
    with pytest.raises(ImportError, match=r"synthon\[langchain\]"):
        langchain_tools()
    with pytest.raises(ImportError, match=r"synthon\[llamaindex\]"):
        llamaindex_tools()
