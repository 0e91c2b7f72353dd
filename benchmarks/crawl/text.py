"""Sentences in three languages from small grammars, deterministic from a `Random`. Knows nothing of HTML.

Real function words in real proportions, so that language detection and text statistics see what they see on the web;
a page picks from a pool of ready sentences, because 8,000 pages of 20 KB of text must be made in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

POOL = 4000
"""Sentences a language; a page takes some 150 of them, so two pages share a few and never a paragraph."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    places: tuple[str, ...]
    names: tuple[str, ...]
    patterns: tuple[str, ...]
    """Format strings over {n} and {m} (nouns), {v}erb, {a} and {b} (adjectives), {p}lace, {who} and {number}."""
    joint: str = " "
    """What stands between two sentences."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


_ENGLISH = Vocabulary(
    nouns=_words(
        "council harbour budget museum engine library orchard railway teacher forecast bridge market recipe novel "
        "satellite vaccine garden festival battery island treaty kitchen workshop glacier archive election painting "
        "violin programme village storm laboratory company hospital river contract keyboard bicycle journey mountain "
        "lighthouse newspaper committee harvest sensor language telescope factory concert timetable neighbourhood "
        "experiment passenger customer airport software proposal summit forest reservoir tournament"
    ),
    verbs=_words(
        "changed followed replaced improved questioned opened delayed supported described rebuilt measured ignored "
        "announced funded visited explained shaped inspected closed published reviewed repaired welcomed doubled "
        "outlasted tested surprised connected divided restored"
    ),
    adjectives=_words(
        "quiet northern public early expensive careful annual local unusual modern shared distant bright reliable "
        "historic temporary independent crowded simple regional ambitious fragile digital rural famous practical "
        "uncertain generous narrow seasonal"
    ),
    places=_phrases(
        "Ashford,Millbrook,Port Ellery,Winterhaven,Dunmore,Castle Rowan,Lakewick,Northgate,Sandhurst Bay,Oldbury,"
        "Fernhill,Thornbridge"
    ),
    names=_phrases(
        "Alice Morton,Daniel Price,Hannah Okafor,Marcus Bell,Priya Raman,Tom Ellison,Grace Whitfield,Owen Carver,"
        "Leila Haddad,Simon Draper,Ruth Callaghan,Victor Lane"
    ),
    patterns=(
        "The {a} {n} {v} the {m} that people in {p} had known for {number} years.",
        "When the {n} was opened in {p}, nobody thought that a {a} {m} would matter.",
        "According to {who}, the {n} {v} more than {number} of the {b} plans for the {m}.",
        "It is not the {n} but the {a} {m} that makes the difference, said {who} on Tuesday.",
        "In {p} the {b} {n} and the {a} {m} are often mentioned together.",
        "After {number} days of work, the team {v} the {n}, and the {m} was {a} again.",
        "There were at least {number} reasons to believe that the {a} {n} had {v} the {m}.",
        "{who} wrote that every {n} should have a {b} {m} of its own, at least for a while.",
        "Because of the {a} {n}, visitors to {p} now find a {m} which is both {b} and useful.",
        "Some of them {v} the {n} with a {m}; others would rather wait until it is {a}.",
    ),
)

_GERMAN = Vocabulary(
    nouns=_words(
        "Bericht Bahnhof Garten Vertrag Hafen Markt Roman Zug Fluss Wald Lehrer Motor Antrag Betrieb Verein Turm "
        "Computer Flughafen Kurs Sommer Haushalt Gipfel Versuch Spielplan Entwurf Kindergarten Fahrplan Film Verlag "
        "Anbau Wettbewerb Speicher Rechner Beitrag Umbau Abschnitt Fortschritt Rundgang Marktplatz Radweg Bauernhof "
        "Stadtrat Vorschlag Brunnen Zeitplan Konzertsaal Neubau Auftrag Verkehr Unterricht Gasthof Ausflug Sturm "
        "Preis Ausschuss Kalender"
    ),
    verbs=_words(
        "verändert begleitet ersetzt verbessert geprüft eröffnet verschoben unterstützt beschrieben gemessen "
        "übersehen angekündigt bezahlt besucht erklärt geprägt geschlossen veröffentlicht begrüßt verdoppelt "
        "getestet überrascht verbunden geteilt erneuert gefördert"
    ),
    adjectives=_words(
        "ruhige nördliche öffentliche frühe teure sorgfältige jährliche örtliche ungewöhnliche moderne gemeinsame "
        "entfernte helle zuverlässige historische vorläufige unabhängige volle einfache regionale ehrgeizige digitale "
        "ländliche berühmte praktische schmale"
    ),
    places=_phrases(
        "Lindenau,Oberfeld,Neustadt am Wald,Kirchdorf,Hohenbrück,Altmühl,Seeheim,Rosenthal,Grünau,Steinbach,"
        "Marienberg,Wiesental"
    ),
    names=_phrases(
        "Anna Krüger,Jonas Weber,Mira Schäfer,Lukas Brandt,Helene Vogt,Stefan Möller,Clara Busch,Timo Jansen,"
        "Sabine Roth,Emil Hartmann,Greta Lorenz,Paul Sommer"
    ),
    patterns=(
        "Der {a} {n} hat den Ort {p} in den letzten {number} Jahren mehr {v} als jeder andere {m}.",
        "Als der {n} in {p} vorgestellt wurde, glaubte niemand, dass der {a} {m} so wichtig wird.",
        "Nach Angaben von {who} wurde der {n} {v}, und auch der {b} {m} ist nicht vergessen.",
        "Es ist nicht der {n}, sondern der {a} {m}, der den Unterschied macht, sagte {who} am Dienstag.",
        "In {p} werden der {b} {n} und der {a} {m} oft in einem Atemzug genannt.",
        "Nach {number} Tagen Arbeit war der {n} {v}, und der {m} konnte wieder genutzt werden.",
        "Es gab mindestens {number} Gründe für die Annahme, dass der {a} {n} den Plan für den {m} {v} hat.",
        "{who} schrieb, dass zu jedem {n} auch ein eigener {m} gehört, wenigstens für eine Weile.",
        "Weil der {a} {n} noch nicht fertig ist, bleibt der {b} {m} für die Gäste aus {p} geöffnet.",
        "Manche haben den {n} {v}; die anderen warten lieber, bis der {a} {m} bereit ist.",
    ),
)

_CHINESE = Vocabulary(
    nouns=_words(
        "报告 车站 花园 合同 港口 市场 小说 列车 河流 森林 教师 发动机 申请 "
        "企业 协会 图书馆 电脑 机场 课程 夏天 预算 山峰 试验 计划 方案 学校 "
        "时间表 电影 出版社 比赛 传感器 文章 工程 语言 进展 广场 自行车道 农场 "
        "委员会 建议 水库 音乐厅 任务 交通 课堂 酒店 旅行 风暴 价格 日历 "
        "博物馆 卫星 疫苗 电池 岛屿 厨房 实验室 医院 软件 乘客"
    ),
    verbs=_words(
        "改变了 跟随了 取代了 改善了 检查了 开放了 推迟了 支持了 描述了 测量了 "
        "忽略了 宣布了 资助了 参观了 解释了 影响了 关闭了 发表了 欢迎了 测试了 "
        "连接了 恢复了 推动了"
    ),
    adjectives=_words(
        "安静的 北方的 公共的 早期的 昂贵的 仔细的 年度的 当地的 少见的 现代的 "
        "共同的 遥远的 明亮的 可靠的 历史悠久的 临时的 独立的 拥挤的 简单的 "
        "地区性的 数字化的 乡村的 著名的 实用的"
    ),
    places=_words("青山镇 临江市 北湖区 云岭县 东河村 南桥镇 石门市 白沙湾 新林区 长丰县"),
    names=_words("王晓明 李静 陈建国 张雨 刘洋 赵敏 周文 孙丽华 吴昊 郑芳"),
    patterns=(
        "在过去的{number}年里，{p}{a}{n}{v}人们熟悉的{m}。",
        "当{n}在{p}正式开放的时候，没有人想到{a}{m}会这么重要。",
        "据{who}介绍，这个{n}{v}超过{number}个{b}{m}项目。",
        "{who}星期二表示，真正起作用的不是{n}，而是{a}{m}。",
        "在{p}，{b}{n}和{a}{m}经常被大家一起提到。",
        "经过{number}天的工作，团队终于{v}{n}，{m}也重新变成{a}样子。",
        "至少有{number}个理由相信，{a}{n}已经{v}原来的{m}。",
        "{who}写道，每一个{n}都应该有自己的{b}{m}，至少在一段时间里是这样。",
        "由于{a}{n}还没有完成，来自{p}的游客仍然可以使用{b}{m}。",
        "有些人{v}{n}，另一些人则愿意等到{m}更加成熟以后再做决定。",
    ),
    joint="",
)

VOCABULARIES = {"en": _ENGLISH, "de": _GERMAN, "zh": _CHINESE}
LANGUAGES = tuple(VOCABULARIES)


class Writer:
    """Writes in one language; the pool is made once, the choice from it by the page's own `Random`."""

    def __init__(self, language: str, seed: int) -> None:
        self.language = language
        self.words = VOCABULARIES[language]
        random = Random(f"{seed}/{language}")
        self._pool = [self._sentence(random) for _ in range(POOL)]

    def _sentence(self, random: Random) -> str:
        words = self.words
        return random.choice(words.patterns).format(
            n=random.choice(words.nouns),
            m=random.choice(words.nouns),
            v=random.choice(words.verbs),
            a=random.choice(words.adjectives),
            b=random.choice(words.adjectives),
            p=random.choice(words.places),
            who=random.choice(words.names),
            number=random.randint(2, 90),
        )

    def sentence(self, random: Random) -> str:
        return self._pool[int(random.random() * POOL)]

    def paragraph(self, random: Random, shortest: int = 3, longest: int = 7) -> str:
        draw = random.random
        count = shortest + int(draw() * (longest - shortest + 1))
        return self.words.joint.join([self._pool[int(draw() * POOL)] for _ in range(count)])

    def title(self, random: Random) -> str:
        words = self.words
        noun, other = random.choice(words.nouns), random.choice(words.nouns)
        adjective, place = random.choice(words.adjectives), random.choice(words.places)
        if self.language == "zh":
            return f"{place}{adjective}{noun}与{other}"
        if self.language == "de":
            return f"{place}: Der {adjective} {noun} und der {other}"
        return f"{place}: the {adjective} {noun} and the {other}"

    def label(self, random: Random) -> str:
        """A short anchor text: a menu entry or a tag."""
        noun = random.choice(self.words.nouns)
        return noun if self.language == "zh" else noun.capitalize()

    def name(self, random: Random) -> str:
        return random.choice(self.words.names)
