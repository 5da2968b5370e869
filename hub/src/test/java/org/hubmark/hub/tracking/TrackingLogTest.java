package org.hubmark.hub.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Every event is a line or is counted as dropped; files are bounded in size and in number. */
final class TrackingLogTest {
    private static final Envelope ENVELOPE = envelope("b@y.example", "c@z.example");

    @TempDir
    private Path folder;

    private static Envelope envelope(String... forwardPaths) {
        return new Envelope(
                "\"a\\ b\"@x.example",
                List.of(forwardPaths),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "192.0.2.1");
    }

    @Test
    void writesALineAnEvent() throws IOException {
        Lease lease = new Lease(new QueueId(7), ENVELOPE, 57_000, 2, InputStream::nullInputStream);
        try (TrackingLog log = TrackingLog.open(folder)) {
            log.offer(TrackingEvent.receive(new QueueId(7), ENVELOPE, 57_000));
            log.offer(TrackingEvent.attempt(TrackingEvent.Kind.DEFER, lease, "line\r\nend\tof it"));
        }
        List<String> lines = lines();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("time\tevent\tid\tsize_bytes\tattempts\t");
        assertThat(lines.get(1))
                .endsWith("\tRECEIVE\t0000000000007\t57000\t0\t\"a\\\\ b\"@x.example\t"
                        + "b@y.example c@z.example\t192.0.2.1\t");
        assertThat(lines.get(2))
                .contains("\tDEFER\t0000000000007\t57000\t3\t")
                .endsWith("\t192.0.2.1\tline\\r\\nend\\tof it");
    }

    @Test
    void textsAreUtf8AndLinesMayBeLongerThanTheBuffer() throws IOException {
        String[] forwardPaths = IntStream.range(0, 2_000)
                .mapToObj(i -> "a-recipient-with-a-rather-long-name-" + i + "@y.example")
                .toArray(String[]::new);
        try (TrackingLog log = TrackingLog.open(folder)) {
            for (Envelope envelope : List.of(ENVELOPE, envelope(forwardPaths), ENVELOPE)) {
                log.offer(event(
                        Instant.EPOCH, envelope, "no\\t f\u00fcr \u20ac \ud83d\udce7\tat \\ all"));
            }
        }
        List<String> lines = lines();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(2))
                .isEqualTo("1970-01-01T00:00:00.000000000Z\tFAIL\t0000000000007\t1\t1\t"
                        + "\"a\\\\ b\"@x.example\t" + String.join(" ", forwardPaths)
                        + "\t192.0.2.1\tno\\\\t f\u00fcr \u20ac \ud83d\udce7\\tat \\\\ all");
        assertThat(lines.get(1)).endsWith("\\\\ all").isEqualTo(lines.get(3));
    }

    /** The column is what programs read by now. */
    @Test
    void timesAreThoseOfInstant() throws IOException {
        List<Instant> times = Stream.of(
                        "2026-11-22T08:30:00Z",
                        "2026-01-02T03:04:05.006Z",
                        "2026-12-31T23:59:59.999999Z",
                        "2026-02-28T00:00:00.000000001Z",
                        "1970-01-01T00:00:00.100Z",
                        "1969-12-31T23:59:59.500Z",
                        "0999-12-31T23:59:59Z",
                        "+12026-12-31T23:59:59Z")
                .map(Instant::parse)
                .flatMap(at -> Stream.of(at, at.plusNanos(1), at.plusSeconds(1)))
                .toList();
        try (TrackingLog log = TrackingLog.open(folder)) {
            times.forEach(at -> log.offer(event(at, ENVELOPE, "")));
        }
        assertThat(lines().stream().skip(1).map(line -> Instant.parse(line.split("\t", 2)[0])))
                .containsExactlyElementsOf(times);
    }

    @Test
    void dropsAndCountsWhatItCantHold() throws IOException {
        TrackingLog log = TrackingLog.open(folder, new TrackingLog.Limits(10, 64 << 20, 16));
        receive(log, 100_000);
        log.close();
        assertThat(log.dropped().sum()).isPositive();
        assertThat(lines().size() - 1 + log.dropped().sum()).isEqualTo(100_000);
    }

    @Test
    void boundsTheFilesAndGoesOnAfterARestart() throws IOException {
        TrackingLog.Limits limits = new TrackingLog.Limits(65_536, 2_000, 3);
        for (int restart = 0; restart < 3; restart++) {
            try (TrackingLog log = TrackingLog.open(folder, limits)) {
                receive(log, 5_000);
            }
        }
        assertThat(files()).hasSize(3);
        assertThat(String.join("\n", lines())).contains(new QueueId(4_999).toString());
    }

    private static void receive(TrackingLog log, int messages) {
        for (int i = 0; i < messages; i++) {
            log.offer(TrackingEvent.receive(new QueueId(i), ENVELOPE, 1));
        }
    }

    private static TrackingEvent event(Instant at, Envelope envelope, String reason) {
        return new TrackingEvent(
                at, TrackingEvent.Kind.FAIL, new QueueId(7), envelope, 1, 1, reason);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files()) {
            lines.addAll(Files.readAllLines(file));
        }
        return lines;
    }
}
