package org.hubmark.bench.kit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.machine.Environment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Proves that a document with parts, times and unknowns is read as it was written. */
class DocumentFileTest {
    private static final Counter ACCEPTED = new Counter("accepted_msgs");
    private static final Counter NANOS = new Counter("measured_ns");
    private static final Counter CPU = new Counter("cpu_ns");
    private static final Times SEND = new Times("send_ns");
    private static final Name HOSTS = Name.of("hosts", "Hosts");
    private static final Name HOST = Name.of("host", "Host");
    private static final Name RUN = Name.note("run", "Run");
    private static final Name PLACE = Name.note("place", "Place");
    private static final Column RATE =
            Column.of("rate", "1/s", "Rate", 0, Better.MORE, ACCEPTED.over(NANOS.over(1e9)));
    private static final Column EFFICIENCY = new Column(
            "efficiency",
            "",
            "Efficiency",
            2,
            Better.NEITHER,
            new Column.Definition.Own(RATE, "Rate / Rate of one", DocumentFileTest::overFirst));
    private static final List<Column> LATENCIES = Column.latencies("send_ms", "Send", SEND);
    private static final Column WITHIN = new Column(
            "within",
            "",
            "Within",
            0,
            Better.NEITHER,
            new Column.Definition.AtMost(LATENCIES.get(2), 50));
    private static final Column COST =
            Column.of("cpu_us", "us", "CPU", 1, Better.LESS, CPU.over(1000).over(ACCEPTED));
    private static final Form PER_HOST =
            Form.of("host_figures", "Hosts", List.of(HOST), List.of(COST));
    private static final Form POINTS = new Form(
            "points",
            "Points",
            "",
            List.of(HOSTS),
            List.of(
                    RATE,
                    EFFICIENCY,
                    LATENCIES.get(0),
                    LATENCIES.get(2),
                    WITHIN,
                    Column.of(ACCEPTED, "", "Accepted")),
            Estimate.Rule.middleRepeats(RATE),
            "runs",
            List.of(RUN),
            List.of(PER_HOST));
    private static final Kind KIND = new Kind(
            "made",
            "made.json",
            List.of(PLACE),
            List.of(POINTS),
            java.util.Set.of(),
            MadeKind.of("made").findings(),
            MadeKind.of("made").sections(),
            MadeKind.of("made").charts());

    @TempDir
    Path folder;

    private static Estimate overFirst(Table points, Row row) {
        double first = points.estimate(points.rows().getFirst(), RATE).value();
        return new Estimate(points.estimate(row, RATE).value() / first, null);
    }

    private static Document made() {
        List<Row> rows = new ArrayList<>();
        for (int hosts = 1; hosts <= 2; hosts++) {
            List<Repeat> repeats = new ArrayList<>();
            for (int run = 1; run <= 3; run++) {
                Histogram nanos = new Histogram(3);
                nanos.recordValueWithCount(10_000_000L * hosts + run, 10);
                nanos.recordValueWithCount(30_000_000L * hosts + run, 10);
                List<Repeat> parts = new ArrayList<>();
                for (int host = 1; host <= hosts; host++) {
                    parts.add(Repeat.counted()
                            .name(HOST, host)
                            .count(ACCEPTED, 500)
                            .count(CPU, host == 2 ? null : (Long) (1_000_000L * run))
                            .made());
                }
                repeats.add(Repeat.counted()
                        .name(RUN, run)
                        .count(ACCEPTED, 1000 + 10 * run + 700 * (hosts - 1))
                        .count(NANOS, 1_000_000_000)
                        .times(SEND, nanos)
                        .parts(PER_HOST, parts)
                        .made());
            }
            rows.add(new Row(Map.of(HOSTS.key(), hosts), repeats));
        }
        return new Document(
                KIND,
                new Provenance(
                        new Tool("0.1", "abc"),
                        "2026-01-01T00:00:00Z",
                        "2026-01-01T00:00:01Z",
                        "made",
                        Map.of("x", 1),
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(),
                                null)),
                true,
                Map.of(PLACE.key(), "here"),
                List.of(new Table(POINTS, rows)),
                List.of());
    }

    @Test
    void isReadAsItWasWritten() throws IOException {
        Document written = DocumentFile.write(made(), folder);
        Document read = DocumentFile.read(folder, KIND);
        assertThat(read.tables()).isEqualTo(written.tables());
        assertThat(DocumentFile.json(read)).isEqualTo(DocumentFile.json(written));
        assertThat(DocumentFile.check(folder, read).isClean()).isTrue();
        assertThat(read.rawFiles()).extracting(RawFile::file).containsExactly("times.hlog");
        assertThat(read.fact(PLACE)).isEqualTo("here");
    }

    @Test
    void figuresOfARowAreMadeOfAllOfIt() {
        Table table = made().table(POINTS);
        Row two = table.rows().getLast();
        assertThat(table.estimate(two, RATE).value()).isEqualTo(1720);
        assertThat(table.estimate(two, EFFICIENCY).value()).isEqualTo(1720 / 1020.0);
        assertThat(table.estimate(two, WITHIN).value()).isZero();
        assertThat(table.estimate(table.rows().getFirst(), WITHIN).value()).isOne();
        Table hosts = two.part(PER_HOST);
        assertThat(hosts.estimate(hosts.rows().getFirst(), COST).value()).isEqualTo(4);
        assertThat(hosts.estimate(hosts.rows().getLast(), COST).isKnown()).isFalse();
    }

    @Test
    void timesThatWereChangedAreFound() throws IOException {
        var unused = DocumentFile.write(made(), folder);
        Document other = DocumentFile.write(
                new Document(
                        KIND,
                        made().provenance(),
                        true,
                        made().facts(),
                        List.of(new Table(POINTS, made().table(POINTS).rows().reversed())),
                        List.of()),
                Files.createDirectory(folder.resolve("other")));
        assertThat(other.tables()).isNotEmpty();
        Files.copy(
                folder.resolve("other/times.hlog"),
                folder.resolve("times.hlog"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        DocumentFile.Check check = DocumentFile.check(folder, DocumentFile.read(folder, KIND));
        assertThat(check.changed()).containsExactly("times.hlog");
        assertThat(check.mismatches()).isNotEmpty();
    }

    @Test
    void anotherFormIsRefused() throws IOException {
        Files.writeString(folder.resolve("made.json"), "{\"schema\": 1}");
        assertThatThrownBy(() -> DocumentFile.read(folder, KIND))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has schema 1; this version reads 2");
    }
}
