"""The index of boards and the boards' lists of threads."""

from __future__ import annotations

from nephila.demo.forum.content import Board, Thread
from nephila.demo.forum.frame import go, member_path, moment, pager, whole_page
from nephila.demo.forum.visits import Visit
from nephila.demo.kit.markup import escape

THREADS_A_PAGE = 4
POSTS_A_PAGE = 10
SORTS = {"last": "Last post", "replies": "Replies", "starter": "Starter", "title": "Title"}


def index_page(visit: Visit, boards: list[Board]) -> str:
    rows = "".join(_board_row(visit, board, boards) for board in boards if board.parent is None)
    main = (
        f'<h1>Boards</h1><table class="boards"><tr><th>Board</th><th>Threads</th><th>Last post</th></tr>{rows}</table>'
    )
    return whole_page(visit, "Boards", main)


def _board_row(visit: Visit, board: Board, boards: list[Board]) -> str:
    children = [child for child in boards if child.parent == board.id]
    below = "".join(f" {go(visit, child.path, child.title)}" for child in children)
    below = f'<div class="sub">Sub-boards:{below}</div>' if below else ""
    last = "Members only"
    if visit.member or not board.private:
        newest = max((post for thread in board.threads for post in thread.posts), key=lambda post: post.published)
        last = go(visit, f"/post/{newest.id}/", newest.thread)
        last += f"<br><bdi>{escape(newest.author)}</bdi>, {moment(newest.published)}"
    feed = go(visit, f"/feed/board/{board.id}.xml", "feed", 'class="small"')
    return (
        f"<tr><td><h3>{go(visit, board.path, board.title)}</h3>{escape(board.about)} {feed}{below}</td>"
        f"<td>{len(board.threads)}</td><td>{last}</td></tr>"
    )


def sorted_threads(board: Board, sort: str) -> list[Thread]:
    """Sticky ones first, then by the order asked for."""
    threads = sorted(board.threads, key=lambda thread: thread.posts[-1].published, reverse=True)
    match sort:
        case "replies":
            threads.sort(key=lambda thread: -len(thread.posts))
        case "starter":
            threads.sort(key=lambda thread: thread.posts[0].author)
        case "title":
            threads.sort(key=lambda thread: thread.title)
    return sorted(threads, key=lambda thread: not thread.sticky)


def board_page(visit: Visit, board: Board, boards: list[Board], number: int, sort: str | None) -> str | None:
    """One page of a board, or None when it has no such page."""
    pages = -(-len(board.threads) // THREADS_A_PAGE)
    if not 1 <= number <= pages:
        return None
    threads = sorted_threads(board, sort or "last")[(number - 1) * THREADS_A_PAGE : number * THREADS_A_PAGE]
    rows = "".join(_thread_row(visit, thread) for thread in threads)
    heads = "".join(f"<th>{go(visit, f'{board.path}?sort={key}', text)}</th>" for key, text in SORTS.items())
    children = "".join(
        f'<p class="sub">Sub-board: {go(visit, child.path, child.title)}</p>'
        for child in boards
        if child.parent == board.id
    )
    new = go(visit, f"/new/{board.id}", "New thread", 'class="button"')
    tools = f"{new} {go(visit, f'/mark-read/{board.id}', 'Mark read')}"
    turn = pager(visit, board.path, number, pages, sort=sort)
    main = (
        f'<p class="crumbs">{go(visit, "/", "Boards")}</p><h1>{escape(board.title)}</h1><p>{escape(board.about)}</p>'
        f'{children}<p class="tools">{tools}</p>{turn}<table class="threads"><tr>{heads}</tr>{rows}</table>{turn}'
    )
    return whole_page(visit, board.title, main)


def _thread_row(visit: Visit, thread: Thread) -> str:
    first, last = thread.posts[0], thread.posts[-1]
    pages = -(-len(thread.posts) // POSTS_A_PAGE)
    mini = " ".join(go(visit, f"{thread.path}?page={n}", str(n)) for n in range(2, pages + 1))
    mini = f'<span class="mini">[1 {mini}]</span>' if mini else ""
    sticky = '<span class="flag">Sticky</span> ' if thread.sticky else ""
    unread = go(visit, f"/thread/{thread.id}/unread", "first unread", 'class="small"')
    return (
        f"<tr><td>{go(visit, f'/post/{last.id}/', moment(last.published))}<br>{escape(last.author)}</td>"
        f"<td>{len(thread.posts) - 1}</td><td>{go(visit, member_path(first.author), first.author)}</td>"
        f"<td>{sticky}<b>{go(visit, thread.path, thread.title)}</b> {mini} {unread}</td></tr>"
    )
