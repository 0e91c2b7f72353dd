"""Lists of items on a single page."""

from __future__ import annotations

from nephila.document import parse
from nephila.wrappers.outline import Outline
from nephila.wrappers.sections import find_items

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
