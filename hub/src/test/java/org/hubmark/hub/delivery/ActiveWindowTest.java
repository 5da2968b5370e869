package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** When a worker starts, for which destination, which messages it gets, and when the window is full: a table of steps. */
final class ActiveWindowTest {
    private final AtomicLong nanos = new AtomicLong();
    private final List<ActiveWindow.Worker> started = new ArrayList<>();
    private final Map<String, Lease> leases = new HashMap<>();
    private ActiveWindow window = window(8, Long.MAX_VALUE);
    private int recipients = 1;

    @ParameterizedTest
    @MethodSource("scripts")
    void doesWhatTheTableSays(String script) throws Exception {
        for (String line : script.lines().toList()) {
            String[] columns = line.split(" *\\| *", 2);
            if (columns.length == 2) {
                String[] step = columns[0].split(" x ", 2);
                int before = started.size();
                StringBuilder effect = new StringBuilder();
                for (int i = 0; i < (step.length == 1 ? 1 : Integer.parseInt(step[1])); i++) {
                    effect.append(effect(step[0].split(" ", -1)));
                }
                for (int i = before; i < started.size(); i++) {
                    effect.append(" starts ").append(i + 1);
                }
                assertThat(columns[1]).as(line).isIn("*", effect.toString().strip());
            } else if (line.startsWith("window ")) {
                int[] sizes = Stream.of(line.substring(7).split(" ", -1))
                        .mapToInt(Integer::parseInt)
                        .toArray();
                recipients = sizes.length == 1 ? 1 : sizes[2];
                window = window(
                        sizes[0],
                        sizes.length == 1
                                ? Long.MAX_VALUE
                                : sizes[1] * lease("y1").memoryBytes());
            }
        }
    }

    static Stream<String> scripts() throws IOException {
        try (InputStream file = ActiveWindowTest.class.getResourceAsStream("active-window.txt")) {
            byte[] all = Objects.requireNonNull(file).readAllBytes();
            return Stream.of(new String(all, StandardCharsets.UTF_8).split("(?m)^== ", -1))
                    .skip(1);
        }
    }

    private String effect(String... words) throws InterruptedException {
        return switch (words[0]) {
            case "add" -> {
                Lease lease = lease(words[1]);
                leases.put(words[1], lease);
                window.add(List.of(lease));
                yield "";
            }
            case "wait", "later" -> {
                nanos.addAndGet(Duration.parse("PT" + words[1]).toNanos());
                if (words[0].equals("later")) {
                    window.look();
                }
                yield "";
            }
            case "slow" -> "" + window.takeSlow().size();
            case "close" -> "" + window.close().size();
            case "room" -> {
                ActiveWindow.Room room = window.awaitRoom(Duration.ZERO);
                long messages = room.bytes() / lease("y1").memoryBytes();
                yield room.equals(window.all()) ? "all" : room.isNone() ? "none" : "" + messages;
            }
            default -> effect(started.get(Integer.parseInt(words[0]) - 1), words);
        };
    }

    private String effect(ActiveWindow.Worker worker, String... words) {
        return switch (words[1]) {
            case "takes" -> name(words.length == 2 ? window.take(worker) : window.takeMore(worker));
            case "has" ->
                window.underWay(worker).stream()
                        .map(ActiveWindowTest::name)
                        .sorted()
                        .collect(Collectors.joining(" "));
            default -> {
                window.done(worker, Objects.requireNonNull(leases.get(words[2])));
                yield "";
            }
        };
    }

    @Test
    void theEndOfAllWorkersIsWaitedFor() throws Exception {
        window.add(List.of(lease("y1")));
        ActiveWindow.Worker first = started.getFirst();
        assertThat(window.close()).hasSize(1);
        assertThat(window.awaitEnd(System.nanoTime())).isFalse();
        assertThat(window.take(first)).isNull();
        assertThat(window.awaitEnd(System.nanoTime())).isTrue();
    }

    @Test
    void oneMessageFitsAnEmptyWindowWhateverItsSize() throws Exception {
        window = window(8, 10_000);
        recipients = Envelope.FORWARD_PATHS_MAX;
        Lease larger = lease("y1");
        window.add(List.of(larger));
        assertThat(window.take(started.getFirst())).isSameAs(larger);
        assertThat(window.awaitRoom(Duration.ZERO).isNone()).isTrue();
    }

    private ActiveWindow window(int workers, long bytesMax) {
        Map<String, String> settings = Map.of(
                "delivery.workers", Integer.toString(workers), "delivery.destination-workers", "3");
        return new ActiveWindow(
                DeliverySettings.read(new Settings(settings)), bytesMax, started::add, nanos::get);
    }

    /** A message for the destination that its name begins with. */
    private Lease lease(String name) {
        Envelope envelope = new Envelope(
                "a@x.example",
                Collections.nCopies(recipients, name + "@" + name.charAt(0) + ".example"),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "127.0.0.1");
        return new Lease(new QueueId(1), envelope, 1, 0, InputStream::nullInputStream);
    }

    private static String name(@Nullable Lease lease) {
        return lease == null
                ? "nothing"
                : lease.envelope().forwardPaths().getFirst().substring(0, 2);
    }
}
