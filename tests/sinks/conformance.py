"""What every sink must do, whatever it writes. Subclass, tell how to make one and how to read it back."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nephila.record import Record
from nephila.sinks import Counted, Delivery, Sink

KEYS = st.one_of(
    st.sampled_from([-(2**63), 2**63 - 1, 0, -1, 1]),
    st.integers(-4, 12),
    st.integers(-(2**63), 2**63 - 1),
)

SEGMENTS = st.lists(st.lists(st.tuples(KEYS, st.integers(0, 3)), max_size=6), max_size=8)


def delivery(key: int, count: int = 1) -> Delivery:
    return Delivery(key, [Record(url=f"http://site.example/{key}/{n}", text="a\nb ü 🕷") for n in range(count)])


def urls(*deliveries: Delivery) -> list[str]:
    return [record.url for one in deliveries for record in one.records]


class SinkConformance:
    """`make` gives a sink on the same place every time, as another process would have it; not open yet."""

    keeps_order = True
    """Whether a reader sees records in the order of their commit; a table has none."""

    @abstractmethod
    def make(self, place: Path) -> Sink: ...

    @abstractmethod
    def read(self, place: Path) -> list[Record]: ...

    def in_order(self, records: list[Record]) -> list[Record]:
        return records if self.keeps_order else sorted(records, key=lambda record: record.url)

    def opened(self, place: Path) -> Sink:
        sink = self.make(place)
        sink.open()
        return sink

    def test_is_a_sink(self, tmp_path: Path) -> None:
        assert isinstance(self.make(tmp_path), Sink)

    def test_writes_records_in_order_and_whole(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        segment = [delivery(3), delivery(1, 2), delivery(2)]
        assert sink.commit(segment) == 3
        assert self.in_order(self.read(tmp_path)) == self.in_order([r for one in segment for r in one.records])
        sink.close()

    def test_is_durable_at_the_return_of_commit_without_close(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        sink.commit([delivery(1)])
        assert [record.url for record in self.read(tmp_path)] == urls(delivery(1))
        sink.close()

    def test_leaves_out_what_was_committed_before(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        assert sink.commit([delivery(1), delivery(2)]) == 2
        assert sink.commit([delivery(2), delivery(3)]) == 1
        sink.close()
        sink = self.opened(tmp_path)
        assert sink.commit([delivery(1), delivery(3), delivery(4)]) == 1
        sink.close()
        assert sorted(r.url for r in self.read(tmp_path)) == sorted(urls(*map(delivery, (1, 2, 3, 4))))

    def test_leaves_out_what_another_writer_committed(self, tmp_path: Path) -> None:
        one, two = self.opened(tmp_path), self.opened(tmp_path)
        assert one.commit([delivery(1), delivery(2)]) == 2
        assert two.commit([delivery(2), delivery(3)]) == 1
        assert one.commit([delivery(3), delivery(4)]) == 1
        one.close()
        two.close()
        assert sorted(r.url for r in self.read(tmp_path)) == sorted(urls(*map(delivery, (1, 2, 3, 4))))

    def test_a_key_twice_in_one_segment_counts_once(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        assert sink.commit([delivery(1), delivery(1)]) == 1
        sink.close()
        assert len(self.read(tmp_path)) == 1

    def test_a_delivery_without_records_is_kept_as_delivered(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        assert sink.commit([Delivery(1, [])]) == 1
        assert sink.commit([Delivery(1, [Record(url="http://late.example/")])]) == 0
        assert sink.commit([]) == 0
        sink.close()
        assert self.read(tmp_path) == []

    def test_nothing_of_a_segment_is_written_when_one_record_cannot_be(self, tmp_path: Path) -> None:
        class Unwritable(Record):
            def to_json(self) -> bytes:
                raise RuntimeError("out of ink")

            def to_dict(self) -> dict[str, Any]:
                raise RuntimeError("out of ink")

        sink = self.opened(tmp_path)
        with pytest.raises(RuntimeError, match="ink"):
            sink.commit([delivery(1), Delivery(2, [Unwritable(url="http://x.example/")])])
        assert self.read(tmp_path) == []
        assert sink.commit([delivery(1)]) == 1
        sink.close()

    def test_odd_text_does_not_hold_up_a_segment(self, tmp_path: Path) -> None:
        odd = Record(url="http://odd.example/", title="half \ud83d pair", fields={"big": 2**70, "\udc00": {1}})
        sink = self.opened(tmp_path)
        assert sink.commit([Delivery(1, [odd]), delivery(2)]) == 2
        sink.close()
        second, first = sorted(self.read(tmp_path), key=lambda record: record.title or "")
        assert first.title == "half ? pair"
        assert second == delivery(2).records[0]

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(segments=SEGMENTS, data=st.data())
    def test_any_history_leaves_each_delivery_once(
        self, tmp_path_factory: pytest.TempPathFactory, segments: list[list[tuple[int, int]]], data: st.DataObject
    ) -> None:
        self.check_history(tmp_path_factory, segments, data)

    def check_history(
        self, tmp_path_factory: pytest.TempPathFactory, segments: list[list[tuple[int, int]]], data: st.DataObject
    ) -> None:
        """Segments that overlap in any way, by two writers that come, die and return, with torn tails in between."""
        place = tmp_path_factory.mktemp("history")
        writers = [self.opened(place), self.opened(place)]
        expected: dict[int, Delivery] = {}
        for segment in segments:
            which = data.draw(st.integers(0, 1))
            if data.draw(st.booleans()):
                self.tear(place, data.draw(st.binary(max_size=40)))
            if data.draw(st.booleans()):
                writers[which].close()
                writers[which] = self.opened(place)
            fresh = {key: delivery(key, count) for key, count in reversed(segment) if key not in expected}
            assert writers[which].commit([delivery(key, count) for key, count in segment]) == len(fresh)
            expected |= fresh
        for writer in writers:
            writer.close()
        self.opened(place).close()
        assert sorted(r.url for r in self.read(place)) == sorted(urls(*expected.values()))

    def tear(self, place: Path, garbage: bytes) -> None:
        """What a writer that was killed half-way leaves; a sink without torn states needs nothing."""


class ServerConformance(SinkConformance):
    """For stores behind a socket: fewer histories, since each commit is a round trip or several."""

    keeps_order = False

    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(segments=SEGMENTS, data=st.data())
    def test_any_history_leaves_each_delivery_once(
        self, tmp_path_factory: pytest.TempPathFactory, segments: list[list[tuple[int, int]]], data: st.DataObject
    ) -> None:
        self.check_history(tmp_path_factory, segments, data)


class DatabaseConformance(ServerConformance):
    def test_tells_how_many_records_it_holds(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        assert isinstance(sink, Counted)
        assert sink.count() == 0
        sink.commit([delivery(1, 2), delivery(2)])
        sink.commit([delivery(2), delivery(3)])
        assert sink.count() == 4
        sink.close()
