"""The page of routes in a real browser, and trees in AiZynthFinder's own reader."""

import json
import os
import subprocess

import chromium
import pytest

TARGET = "CC(C)Cc1ccc(cc1)C(C)C(=O)Nc1ccc(O)cc1"

needs_browser = pytest.mark.skipif(
    chromium.program() is None, reason="no Chromium; install one or name it in CHROMIUM"
)


def synthon(*arguments):
    run = subprocess.run(
        [os.environ["SYNTHON_BIN"], *arguments], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def routes(tmp_path_factory):
    """A page of several routes, and the same routes as JSON."""
    folder = tmp_path_factory.mktemp("report")
    flags = ["--max-routes", "8", "--node-limit", "300", "--timeout", "60"]
    page = folder / "routes.html"
    synthon("routes", TARGET, *flags, "--format", "html", "-o", str(page))
    return page, json.loads(synthon("routes", TARGET, *flags, "--json"))["routes"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.Page(tmp_path_factory.mktemp("profile")) as page:
        yield page


@needs_browser
def test_the_page_asks_for_nothing_and_breaks_no_rule_of_its_own(browser, routes):
    browser.open(routes[0])
    assert browser.messages == []
    assert browser.run("document.querySelectorAll('article').length") == len(routes[1])
    # What a policy forbids would not run; this checks that it is in force.
    browser.run(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.evil = 1';"
        " document.body.append(s); const i = new Image(); i.src = 'https://example.org/x.png'; })()"
    )
    assert browser.run("window.evil === undefined")
    for refusal in ("inline script violates", "image 'https://example.org/x.png' violates"):
        browser.wait_for(lambda refusal=refusal: any(refusal in message for message in browser.messages))


@needs_browser
def test_filters_and_order(browser, routes):
    browser.open(routes[0])
    page, found = routes

    def choose(field, value):
        browser.run(
            f"(() => {{ const f = document.getElementById('{field}'); f.value = {value!r};"
            " f.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )

    def shown():
        return browser.run(
            "[...document.querySelectorAll('#routes > li')].filter(i => !i.hidden)"
            ".map(i => Number(i.dataset.rank) - 1)"
        )

    assert shown() == list(range(len(found)))
    fewest = min(len(route["steps"]) for route in found)
    choose("f-steps", str(fewest))
    expected = [at for at, route in enumerate(found) if len(route["steps"]) <= fewest]
    assert shown() == expected
    count = browser.run("document.getElementById('count').textContent")
    assert count == f"{len(expected)} of {len(found)} routes shown"
    choose("f-steps", "")
    choose("f-tier", "2")
    assert shown() == [at for at, route in enumerate(found) if route["tier"] >= 2]
    choose("f-tier", "0")
    rule = found[-1]["steps"][0]["rule"]
    choose("f-text", rule.upper())
    assert len(found) - 1 in shown()
    choose("f-text", "no such words")
    assert shown() == []
    choose("f-text", "")
    for key, field, sign in [
        ("score", "score", 1),
        ("confidence", "confidence", -1),
        ("success", "success_probability", -1),
        ("cost", "route_cost", 1),
    ]:
        choose("f-sort", key)
        order = sorted(range(len(found)), key=lambda at: (sign * found[at][field], at))
        assert shown() == order, key


@needs_browser
def test_everything_is_reached_by_the_keyboard(browser, routes):
    browser.open(routes[0])
    places = []
    for _ in range(40):
        browser.press("Tab")
        places.append(
            browser.run(
                "(() => { const e = document.activeElement; const s = getComputedStyle(e);"
                " return [e.tagName, e.id || e.className, s.outlineStyle, s.outlineWidth]; })()"
            )
        )
    assert places[0][1] == "skip"
    ids = [place[1] for place in places]
    for field in ["f-tier", "f-steps", "f-text", "f-sort", "b-open", "b-close", "b-theme"]:
        assert field in ids
    assert any(tag == "SUMMARY" for tag, *_ in places)
    assert any(name == "by" for _, name, *_ in places)
    for tag, name, style, width in places:
        if tag != "BODY":
            assert style != "none" and width != "0px", (tag, name)
    # The link of a step in the tree opens its details.
    browser.run("document.querySelector('a.by').focus()")
    wanted = browser.run("document.activeElement.getAttribute('href').slice(1)")
    assert not browser.run(f"document.getElementById('{wanted}').open")
    browser.press("Enter", text="\r")
    assert browser.run(f"document.getElementById('{wanted}').open")
    assert browser.run("document.activeElement.tagName") == "SUMMARY"


@needs_browser
def test_a_screen_reader_is_told_what_is_shown(browser, routes):
    browser.open(routes[0])
    browser.run("document.getElementById('b-open').click()")
    said = browser.accessible()
    roles = {role for role, _ in said}
    assert {"main", "heading", "article", "search", "status", "list"} <= roles
    names = [name for role, name in said if role in ("image", "img")]
    assert names and all(name for name in names)
    assert any(name.startswith("Structure of ") for name in names)
    for role in ("combobox", "textbox", "searchbox", "button", "link"):
        assert all(name for r, name in said if r == role), role
    text = browser.run("document.body.innerText")
    # Colour never stands alone: each mark has its words.
    assert "in stock" in text and "Bonds made" in text


@needs_browser
def test_light_dark_and_the_button_between(browser, routes):
    def colours():
        return browser.run(
            "(() => { const b = getComputedStyle(document.body);"
            " const s = document.querySelector('svg.drawing');"
            " return [b.backgroundColor, b.color, getComputedStyle(s).color]; })()"
        )

    def luminance(colour):
        parts = [int(part) / 255 for part in colour[4:-1].split(",")[:3]]
        parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    seen = {}
    for scheme in ("light", "dark"):
        browser.open(routes[0], scheme)
        paper, ink, drawn = seen[scheme] = colours()
        for colour in (ink, drawn):
            low, high = sorted((luminance(paper), luminance(colour)))
            assert (high + 0.05) / (low + 0.05) > 10, (scheme, colour)
    assert seen["light"][0] != seen["dark"][0]
    press = "document.getElementById('b-theme').click()"
    browser.run(press)
    assert colours() == seen["light"], "the button wins over the system"
    browser.run(press)
    assert colours() == seen["dark"]
    assert browser.run("document.getElementById('b-theme').textContent") == "Theme: dark"


@needs_browser
def test_a_print_shows_the_steps(browser, routes):
    browser.open(routes[0], "dark")
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.run("[...document.querySelectorAll('details.step')].every(d => d.open)")
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    assert browser.run("[...document.querySelectorAll('details.step')].every(d => !d.open)")
    browser.send("Emulation.setEmulatedMedia", media="print")
    assert browser.run("getComputedStyle(document.querySelector('.controls')).display") == "none"
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    browser.send("Emulation.setEmulatedMedia", media="")


@needs_browser
def test_the_page_of_a_batch(browser, tmp_path):
    targets = tmp_path / "targets.smi"
    targets.write_text(f"{TARGET} one\nCC(=O)Nc1ccc(O)cc1 two\nC1CC three\n")
    page = tmp_path / "summary.html"
    synthon(
        "routes", "--input", str(targets), "--output", str(tmp_path / "o.jsonl"),
        "--node-limit", "100", "--summary", str(page),
    )  # fmt: skip
    browser.open(page)
    assert browser.messages == []
    assert browser.run("document.querySelectorAll('svg.plot').length") >= 3
    assert browser.run("document.querySelectorAll('tbody tr').length") >= 3
    browser.run("document.getElementById('b-theme').click()")
    assert browser.messages == []


def test_aizynthfinder_reads_our_trees():
    reader = pytest.importorskip("aizynthfinder.reactiontree")
    trees = json.loads(synthon("routes", TARGET, "--node-limit", "300", "--format", "aizynthfinder"))
    assert trees
    for tree in trees:
        read = reader.ReactionTree.from_dict(tree)
        assert len(list(read.reactions())) == tree["scores"]["number of reactions"]
        assert read.is_solved == tree["metadata"]["is_solved"]
        again = read.to_dict()
        assert again["smiles"] == tree["smiles"] and len(again["children"]) == 1


def test_a_plan_is_rendered_in_every_form():
    synthon_package = pytest.importorskip("synthon")
    from synthon.planning import Planner

    plan = Planner().plan("CCOC(C)=O", max_routes=2)
    assert plan.render("svg").startswith("<svg")
    assert plan.render("html").startswith("<!doctype html>")
    assert plan.render("mermaid").startswith("flowchart LR")
    trees = json.loads(plan.render("aizynthfinder"))
    assert [tree["metadata"]["route_id"] for tree in trees] == [
        route.data["route_id"] for route in plan
    ]
    with pytest.raises(synthon_package.SynthonError, match="svg, html"):
        plan.render("pdf")
    brief = Planner().plan("CCOC(C)=O", max_routes=1, detail="brief")
    with pytest.raises(synthon_package.SynthonError, match="full detail"):
        brief.render("html")
