"""The forum's addresses. It takes every request itself, since `;sid=` may stand in any of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import unquote

from aiohttp import web

from nephila.demo.forum import boards, people, threads
from nephila.demo.forum.content import Board, Post, Thread
from nephila.demo.forum.content import boards as all_boards
from nephila.demo.forum.visits import COOKIE, Sessions, Visit
from nephila.demo.kit import answers
from nephila.demo.kit.grow import words_of

USER, PASSWORD = "crawler", "crawler-pass"

Page = Callable[[Visit, str], web.Response]


def build() -> web.Application:
    app = web.Application()
    forum = Forum()
    app.router.add_route("*", "/{rest:.*}", forum.answer)
    return app


class Forum:
    """Answers for every address. Its state: sessions, changes made by GET, posts added while it runs."""

    def __init__(self) -> None:
        self._sessions = Sessions()
        self._boards = all_boards()
        self._threads = {thread.id: thread for board in self._boards for thread in board.threads}
        self._posts = {post.id: post for thread in self._threads.values() for post in thread.posts}
        self._changes: list[dict[str, str | None]] = []
        self._logins = 0
        self._routes: list[tuple[re.Pattern[str], Page]] = [
            (re.compile(pattern + r"\Z"), handler)
            for pattern, handler in (
                (r"/()", self._index),
                (r"/board/(\d+)[^/]*/", self._board),
                (r"/thread/(\d+)[^/]*/?", self._thread),
                (r"/t/(\d+)", self._thread),
                (r"/thread/(\d+/(?:unread|last|next|previous))", self._jump),
                (r"/post/(\d+)/", self._post),
                (r"/print/(\d+)", self._print),
                (r"/feed/(.+)\.xml", self._feed),
                (r"/member/([^/]+)", self._member),
                (r"/(members)", lambda visit, _: answers.page(people.members_page(visit))),
                (r"/(search)", self._search),
                (r"/(login)", self._login),
                (r"/(?:logout|mark-read|vote|subscribe|report)(.*)", self._change),
                (r"/(reply/\d+|quote/\d+|new/\d+)", self._write),
                (r"/(rules|register)", self._plain),
            )
        ]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        machine = await self._for_machines(request)
        if machine is not None:
            return machine
        visit = self._sessions.visit(request)
        if request.method == "POST":
            response = await self._post_login(visit) if visit.path == "/login" else web.Response(status=405)
        else:
            response = self._page(visit)
        if request.cookies.get(COOKIE) != visit.sid:
            response.set_cookie(COOKIE, visit.sid, httponly=True, samesite="Lax")
        return response

    def _page(self, visit: Visit) -> web.Response:
        for pattern, handler in self._routes:
            found = pattern.match(visit.path)
            if found:
                return handler(visit, found.group(1))
        return answers.page(people.plain_page(visit, "Not found", "There is no such page."), status=404)

    async def _for_machines(self, request: web.Request) -> web.Response | None:
        match request.path:
            case "/robots.txt":
                return web.Response(text="User-agent: *\nDisallow: /_control/\n")
            case "/static/forum.css":
                return answers.asset("nephila.demo.forum", "forum.css")
            case "/_control/state":
                return web.json_response({"state_changing_gets": self._changes, "logins": self._logins})
            case "/_control/reply" if request.method == "POST":
                return self._add_reply(request)
        return None

    # --- reading -------------------------------------------------------------------------------------------------

    def _index(self, visit: Visit, _: str) -> web.Response:
        return answers.page(boards.index_page(visit, self._boards))

    def _board(self, visit: Visit, number: str) -> web.Response:
        board = next((board for board in self._boards if board.id == int(number)), None)
        if board is None:
            return _not_found(visit)
        if board.private and not visit.member:
            return answers.page(people.members_only_page(visit), status=403)
        sort = visit.request.query.get("sort")
        text = boards.board_page(
            visit, board, self._boards, _page_number(visit), sort if sort in boards.SORTS else None
        )
        return answers.page(text) if text else _not_found(visit)

    def _thread(self, visit: Visit, number: str) -> web.Response:
        thread = self._threads.get(int(number))
        if thread is None:
            return _not_found(visit)
        if not self._may_read(visit, thread.board):
            return _to_login(visit)
        order = visit.request.query.get("order")
        text = threads.thread_page(visit, thread, _page_number(visit), order if order in ("asc", "desc") else None)
        return answers.page(text) if text else _not_found(visit)

    def _jump(self, visit: Visit, where: str) -> web.Response:
        """Links that lead somewhere else: to the last post, or to the neighbour in the board."""
        number, _, direction = where.partition("/")
        thread = self._threads.get(int(number))
        if thread is None:
            return _not_found(visit)
        if direction in ("unread", "last"):
            return _redirect(visit, self._place_of(thread, thread.posts[-1]))
        row = boards.sorted_threads(thread.board, "last")
        step = 1 if direction == "next" else -1
        return _redirect(visit, row[(row.index(thread) + step) % len(row)].path)

    def _post(self, visit: Visit, number: str) -> web.Response:
        post = self._posts.get(int(number))
        if post is None:
            return _not_found(visit)
        thread = self._threads[post.thread_id]
        if not self._may_read(visit, thread.board):
            return _to_login(visit)
        return _redirect(visit, self._place_of(thread, post))

    def _print(self, visit: Visit, number: str) -> web.Response:
        thread = self._threads.get(int(number))
        if thread is None or not self._may_read(visit, thread.board):
            return _not_found(visit)
        return answers.page(threads.print_page(thread))

    def _feed(self, visit: Visit, what: str) -> web.Response:
        kind, _, number = what.partition("/")
        posts = [post for post in self._posts.values() if not post.private]
        if kind == "board":
            titles = {board.title for board in self._boards if str(board.id) == number}
            posts = [post for post in posts if post.board in titles]
        elif kind == "thread":
            posts = [post for post in posts if str(post.thread_id) == number]
        origin = f"{visit.request.scheme}://{visit.request.host}"
        return answers.xml(threads.feed(words_of("forum")["name"], posts, origin), "application/rss+xml")

    def _member(self, visit: Visit, name: str) -> web.Response:
        name = unquote(name)
        if name not in words_of("forum")["members"]:
            return _not_found(visit)
        posts = [post for post in self._readable(visit) if post.author == name]
        return answers.page(people.member_page(visit, name, posts))

    def _search(self, visit: Visit, _: str) -> web.Response:
        query = visit.request.query
        wanted, author = query.get("q", "")[:80], query.get("author")
        posts = [
            post
            for post in self._readable(visit)
            if wanted.lower() in post.text.lower() and author in (None, post.author)
        ]
        return answers.page(people.search_page(visit, wanted or author or "", posts))

    def _plain(self, visit: Visit, name: str) -> web.Response:
        if name == "rules":
            return answers.page(people.plain_page(visit, "Rules", words_of("forum")["faq"]))
        return answers.page(people.plain_page(visit, "Register", "New members are taken in at the summer meeting."))

    # --- writing -------------------------------------------------------------------------------------------------

    def _write(self, visit: Visit, what: str) -> web.Response:
        if not visit.member:
            return _to_login(visit)
        kind, _, number = what.partition("/")
        post = self._posts.get(int(number)) if kind == "quote" else None
        return answers.page(people.reply_page(visit, post.thread if post else what, post))

    def _change(self, visit: Visit, _: str) -> web.Response:
        """Links that change something when they are merely fetched, as far too many forums have."""
        if len(self._changes) < 10_000:
            self._changes.append({"method": visit.request.method, "path": visit.path, "member": visit.member})
        if visit.path == "/logout":
            self._sessions.log_out(visit)
        return _redirect(visit, "/")

    def _login(self, visit: Visit, _: str) -> web.Response:
        return answers.page(people.login_page(visit, visit.request.query.get("next", "/")))

    async def _post_login(self, visit: Visit) -> web.Response:
        form = await visit.request.post()
        target = str(form.get("next", "/"))
        if form.get("csrf") != visit.csrf:
            return answers.page(people.plain_page(visit, "Form expired", "Please log in again."), status=403)
        if (form.get("ident"), form.get("secret")) != (USER, PASSWORD):
            return answers.page(people.login_page(visit, target, wrong=True))
        self._sessions.log_in(visit, USER)
        self._logins += 1
        local = target.startswith("/") and not target.startswith("//")
        return _redirect(visit, target if local else "/", status=303)

    def _add_reply(self, request: web.Request) -> web.Response:
        """A new post by `Odile` in the thread `?thread=`, saying `?text=`: what a later crawl should find."""
        number = request.query.get("thread", "")
        thread = self._threads.get(int(number)) if number.isascii() and number.isdigit() else None
        if thread is None or len(thread.posts) >= 99:
            return web.Response(status=404)
        last = thread.posts[-1]
        now = datetime.now(UTC).replace(second=0, microsecond=0)
        text = request.query.get("text", "One more thing.")[:2000]
        post = Post(
            last.board, thread.id, thread.title, last.position + 1, last.id + 1, "Odile", now, (text,), last.private
        )
        thread.posts.append(post)
        self._posts[post.id] = post
        return web.json_response({"id": post.id, "thread_id": thread.id, "position": post.position, "text": text})

    # --- who may read, and where a post stands --------------------------------------------------------------------

    def _may_read(self, visit: Visit, board: Board) -> bool:
        return visit.member is not None or not board.private

    def _readable(self, visit: Visit) -> list[Post]:
        return [post for post in self._posts.values() if visit.member or not post.private]

    def _place_of(self, thread: Thread, post: Post) -> str:
        page = threads.page_of(post.position)
        return f"{thread.path}{f'?page={page}' if page > 1 else ''}#p{post.id}"


def _page_number(visit: Visit) -> int:
    text = visit.request.query.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def _redirect(visit: Visit, path: str, status: int = 302) -> web.Response:
    path, hash_, fragment = path.partition("#")
    return web.Response(status=status, headers={"Location": visit.link(path) + hash_ + fragment})


def _to_login(visit: Visit) -> web.Response:
    return _redirect(visit, f"/login?next={visit.path}")


def _not_found(visit: Visit) -> web.Response:
    return answers.page(people.plain_page(visit, "Not found", "There is no such page."), status=404)
