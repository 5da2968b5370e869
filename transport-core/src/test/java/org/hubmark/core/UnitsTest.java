package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/** Sizes, times, durability classes and queue ids are read as documented and print what reads back. */
class UnitsTest {
    private static final Map<String, Consumer<String>> PARSERS = Map.of(
            "size", ByteSize::parse,
            "time", Durations::parse,
            "durability", Durability::parse,
            "queue id", QueueId::parse);

    @ParameterizedTest
    @CsvSource({
        "57KB, 57000",
        "64KiB, 65536",
        "1.5MB, 1500000",
        "512MiB, 536870912",
        "2GB, 2000000000",
        "80000B, 80000",
        "12B, 12",
        "0, 0"
    })
    void sizes(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
        assertThat(ByteSize.parse(ByteSize.format(bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"10ms, 10000000", "1.5s, 1500000000", "5m, 300000000000", "2h, 7200000000000"})
    void times(String text, long nanos) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofNanos(nanos));
        assertThat(Durations.parse(Durations.format(Duration.ofNanos(nanos)))).hasNanos(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"synced", "periodic=10ms", "periodic=1s", "none"})
    void durabilityPrintsWhatItReads(String text) {
        assertThat(Durability.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "size, ;KB;-1KB;57 KB;57kb;0.5B;57KBs;57;0.0;99999999999GB",
        "time, ;10;10 ms;-1s;1d;s;9999999999h",
        "durability, ;sync;periodic=;periodic=0ms;Synced",
        "queue id, ;1;00000000000U0;ZZZZZZZZZZZZZ;0000000000000 ;../../etc/pas"
    })
    void whatIsNoneIsRefused(String kind, String texts) {
        Consumer<String> parser = Objects.requireNonNull(PARSERS.get(kind));
        for (String text : texts.split(";", -1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> parser.accept(text))
                    .withMessageContaining(kind.equals("durability") ? "" : "is not a " + kind);
        }
    }

    @Test
    void queueIdsPrintWhatTheyReadAndSortAlike() {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            QueueId a = new QueueId(random.nextLong() >>> (1 + random.nextInt(63)));
            QueueId b = new QueueId(random.nextLong() >>> (1 + random.nextInt(63)));
            assertThat(QueueId.parse(a.toString())).as("seed %d", seed).isEqualTo(a);
            assertThat(QueueId.valueIn("as " + a + ".", 3))
                    .as("seed %d", seed)
                    .isEqualTo(a.value());
            assertThat(Integer.signum(a.toString().compareTo(b.toString())))
                    .as("seed %d", seed)
                    .isEqualTo(a.compareTo(b));
        }
    }
}
