"""Model loops with fixed replies, and agent frameworks."""

import json

import pytest
from synthon.integrations import langchain_tools, llamaindex_tools, tool_answer
from synthon.tool_definitions import TOOL_REGISTRY
from test_examples import module

LOOPS = module("model_loops")
CALLS = LOOPS.CALLS


def check(refused, answered):
    assert refused["error"] == "Unknown tool argument"
    assert refused["hint"] == "did you mean timeout_ms?"
    assert answered["optimal"] and answered["matches"][0]["atom_count"] == 6
    assert answered["budget"]["timeout_ms"] == 500


def test_a_chat_loop():
    model = LOOPS.chat_replies()
    messages = LOOPS.chat(model)
    check(*[json.loads(m["content"]) for m in messages if m["role"] == "tool"])
    assert len(model.requests) == 3 and messages[-1]["content"] == LOOPS.ANSWER


def test_a_responses_loop():
    model = LOOPS.responses_replies()
    items = LOOPS.responses(model)
    check(*[json.loads(i["output"]) for i in items if i.get("type") == "function_call_output"])
    assert model.requests[0]["tools"][0]["strict"] is False


def test_a_loop_of_blocks():
    messages = LOOPS.blocks(LOOPS.blocks_replies())
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
