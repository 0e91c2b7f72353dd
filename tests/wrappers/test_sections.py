"""Lists of items on a single page."""

from __future__ import annotations

import asyncio
from pathlib import Path

from nephila.document import parse
from nephila.memory import SqliteMemory
from nephila.wrappers.outline import Outline
from nephila.wrappers.recipes import read_recipe
from nephila.wrappers.sections import find_items, find_lists
from nephila.wrappers.site_rules import Found, SiteRules
from nephila.wrappers.store import RuleStore

PAGE = """<body><ul class="nav"><li>Home</li><li>Recipes</li></ul><h1>Oat biscuits</h1><div class="rec">
<h2>Zutaten</h2><ul><li><b>200 g</b> oats</li><li>80 g butter</li><li>1 egg</li></ul>
<h2>Zubereitung</h2><ol><li>Melt the butter and stir it into the oats with the egg.</li>
<li>Bake small heaps at 180 degrees until they are brown at the edges.</li></ol></div>
<h2>Comments</h2><ul><li>Lovely, made them 3 times already!</li><li>Mine were too dry, sadly</li></ul></body>"""


def test_items_below_a_heading_in_another_language() -> None:
    outline = Outline(parse(PAGE))
    assert find_items(outline, "recipeIngredient") == ["200 g oats", "80 g butter", "1 egg"]
    assert [item.split()[0] for item in find_items(outline, "recipeInstructions")] == ["Melt", "Bake"]


def test_items_by_the_names_of_their_elements() -> None:
    items = "".join(f'<span class="recipe-ingredient">{n} cups of flour</span>' for n in range(1, 5))
    assert len(find_items(Outline(parse(f"<body><div>{items}</div></body>")), "recipeIngredient")) == 4
    assert find_items(Outline(parse("<body><p>Nothing here</p></body>")), "recipeIngredient") == []


PARTS = """<body><h1>Plum cake</h1><p>My aunt made it every autumn, and so do I, with a little more butter.</p><div>
<h2>You will need</h2><h3>For the dough</h3><div class="a1">
<div class="x9"><span>250 g</span> <span>flour</span></div><div class="x9"><span>1</span> <span>egg</span></div></div>
<h3>For the top</h3><div class="a1">
<div class="x9"><span>1 kg</span> <span>plums</span></div>
<div class="x9"><span>2 tbsp</span> <span>sugar</span></div></div>
<h2>Method</h2><div><div class="s"><b>Step 1</b><p>Knead the dough and let it rest for an hour.</p></div>
<div class="s"><b>Step 2</b><p>Lay the plums on top and bake the cake for forty minutes.</p></div></div></div>
<h2>More to read</h2><ul><li><a href="/1">How to make 12 jams at home in one day</a></li>
<li><a href="/2">How to make 3 kinds of bread without a machine</a></li></ul></body>"""


def test_a_list_in_parts_is_one_and_steps_lose_their_numbers() -> None:
    found = find_lists(Outline(parse(PARTS)), ["recipeIngredient", "recipeInstructions"])
    assert found["recipeIngredient"] == ["250 g flour", "1 egg", "1 kg plums", "2 tbsp sugar"]
    assert [step.split()[0] for step in found["recipeInstructions"]] == ["Knead", "Lay"]


def test_a_recipe_needs_both_and_quantities() -> None:
    assert set(read_recipe(parse(PARTS))) == {"recipeIngredient", "recipeInstructions"}
    assert read_recipe(parse(PARTS.replace("Method", "Gallery").replace("Step", "Picture"))) == {}
    cream = "<h2>Ingredients</h2><ul><li>Aqua</li><li>Glycerin</li><li>Parfum</li></ul><h2>Directions</h2>"
    use = "<ol><li>Apply a little to the dry face every evening.</li><li>Keep it away from eyes and children.</li></ol>"
    assert read_recipe(parse(f"<body>{cream}{use}</body>")) == {}


def test_one_page_of_a_blog_is_read_as_a_recipe(tmp_path: Path) -> None:
    async def read() -> Found:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        found = await SiteRules(RuleStore(memory)).read(parse(PARTS), "blog.example", "article")
        await memory.close()
        return found

    found = asyncio.run(read())
    assert found.kind == "Recipe"
    assert len(found.values["recipeIngredient"]) == 4
    assert len(found.values["recipeInstructions"]) == 2
