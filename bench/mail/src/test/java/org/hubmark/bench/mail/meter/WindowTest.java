package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.TestCase;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.Reason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Proves by hand what is made of two snapshots: figures, what limited them (windows.txt), and what makes a repeat
 * invalid.
 */
class WindowTest {
    static List<TestCase> windows() throws IOException {
        return TestCase.of(
                WindowTest.class,
                "windows.txt",
                "from",
                "to",
                "figures",
                "counters",
                "source",
                "tells",
                "limit");
    }

    @ParameterizedTest
    @MethodSource
    void windows(TestCase one) {
        Snapshot to = Snapshots.to(one.all("to").toArray(String[]::new));
        Window window = new Window(Snapshots.from(one.all("from").toArray(String[]::new)), to, 2);
        one.words("figures").forEach((key, value) -> assertIs(key, figure(window, key), value));
        Map<String, Double> counters = window.counted().counters();
        one.words("counters").forEach((key, value) -> assertIs(key, counters.get(key), value));
        assertThat(one.all("source"))
                .allMatch(source -> source.equals(
                        Objects.requireNonNullElse(window.counterSource().log(), "-")));
        assertThat(one.all("tells"))
                .allMatch(tells -> tells.equals(String.valueOf(to.tellsOfServer())));
        for (String limit : one.all("limit")) {
            String[] parts = limit.split(" -> ", 2);
            Limiting found = limit(window, TestCase.words(List.of(parts[0])));
            assertThat(found.limitingResource() + ": " + found.limitingReason() + " ("
                            + found.limitingLift() + ")")
                    .contains(parts[1]);
        }
    }

    private static void assertIs(String key, @Nullable Double found, String expected) {
        if (expected.equals("-")) {
            assertThat(found).as(key).isNull();
        } else {
            assertThat(found).as(key).isCloseTo(Double.valueOf(expected), within(1e-9));
        }
    }

    private static @Nullable Double figure(Window window, String key) {
        return switch (key) {
            case "busy.log" -> window.busyPercent(VolumeRole.LOG);
            case "server" -> window.serverCpuPercent();
            default ->
                window.get(Figure.OF_REPEATS.stream()
                        .filter(figure -> figure.key().equals(key))
                        .findFirst()
                        .orElseThrow());
        };
    }

    private static Limiting limit(Window window, Map<String, String> words) {
        String rate = words.get("rate");
        String device = words.get("device");
        Set<Integer> allowed = Arrays.stream(words.getOrDefault("allowed", "").split(",", -1))
                .filter(core -> !core.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
        return new Bottleneck(
                        window,
                        rate == null ? null : Double.valueOf(rate),
                        Integer.parseInt(words.getOrDefault("threads", "1")),
                        Double.parseDouble(words.getOrDefault("latency", "0")),
                        allowed,
                        device == null ? null : DeviceProfile.named(device),
                        false)
                .find(!words.containsKey("local"));
    }

    /** More than all of a device can't be: then it was measured on a machine that was busy just then. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            cpu        | -   | cpu: it was busy
            cpu        | 60  | cpu: it was busy
            cpu        | 97  | log_volume: the rate is 97% of what the log device holds by itself, written in groups of the same size
            cpu        | 108 | log_volume: the rate is 108% of what the log device holds by itself, written in groups of the same size
            cpu        | 381 | cpu: it was busy
            log_volume | 40  | log_volume: it was busy; the rate is 40% of what the device holds by itself
            log_volume | 381 | log_volume: it was busy
            rate       | 97  | rate: it was busy
            """)
    void theShareOfACeilingDecides(String resource, @Nullable Double percent, String found) {
        Limiting limiting = new Limiting(resource, "it was busy", "more").beside(percent);
        assertThat(limiting.limitingResource() + ": " + limiting.limitingReason())
                .isEqualTo(found);
    }

    @Test
    void aDriverThatIsTheBottleneckMakesARepeatInvalid() {
        Limiting driver = new Limiting("driver", "it was busy", "another machine");
        assertThat(reasons(accounts(1_000, 0), driver, new Histogram(3)))
                .containsExactly(
                        new Reason(Case.DRIVER, "the driver is the bottleneck: it was busy"));
    }

    /** A p99 of ten is their maximum; of 1,000, 11 may not be late by more than 10 ms. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            9   | 1  | it sent late by 20.0 ms (the largest of 10; at most 10 ms)
            991 | 9  | -
            991 | 11 | it sent late by 20.0 ms (p99; at most 10 ms)
            """)
    void soDoesOneThatSendsLate(long inTime, long late, @Nullable String words) {
        Histogram lateness = new Histogram(3);
        lateness.recordValueWithCount(1_000_000, inTime);
        lateness.recordValueWithCount(20_000_000, late);
        assertThat(reasons(accounts(1_000, 0), Limiting.UNKNOWN, lateness))
                .extracting(Reason::words)
                .isEqualTo(
                        words == null
                                ? List.of()
                                : List.of("the driver is the bottleneck: " + words));
    }

    @Test
    void accountsForEveryMessage() {
        Accounts counts = Accounts.of(Snapshots.from(), Snapshots.to(), true);
        assertThat(counts).isEqualTo(accounts(900, 98));
        assertThat(counts.lost()).isEqualTo(2);
        assertThat(Accounts.of(Snapshots.from(), Snapshots.to(), false).lost()).isZero();
        assertThat(reasons(counts, Limiting.UNKNOWN, new Histogram(3)))
                .containsExactly(new Reason(Case.MAIL, "2 accepted messages are lost"));
    }

    private static Accounts accounts(long delivered, long left) {
        return new Accounts(1_000, 1_000, 0, 0, delivered, left, 1_000 - delivered - left);
    }

    private static List<Reason> reasons(Accounts counts, Limiting limiting, Histogram lateness) {
        Snapshot end = Snapshots.to();
        Window window = new Window(Snapshots.from(), end, 2);
        return ValidityRules.reasons(counts, end.load(), window, limiting, lateness, 0, false);
    }
}
