package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.volumes.GroupWriter.Groups;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Proves that groups are written in the proportions asked for, and their messages counted. */
class GroupWriterTest {
    private static final Groups SMALL = new Groups(3, 1, 4096, 1);
    private static final Groups LARGE = new Groups(1, 2, 262_144, 40.5);

    @TempDir
    Path folder;

    @Test
    void drawsEachSizeAsOftenAsItWeighs() {
        SplittableRandom random = new SplittableRandom(1);
        long small = IntStream.range(0, 4_000)
                .filter(i -> GroupWriter.draw(List.of(SMALL, LARGE), random).equals(SMALL))
                .count();
        assertThat(small).isBetween(2_850L, 3_150L);
    }

    @Test
    void countsTheMessagesOfTheGroupsThatItWrote() throws Exception {
        // Groups that hold no messages are written too, and only the others count.
        List<Groups> empty = List.of(new Groups(1, 2, 8192, 0));
        assertThat(rate(empty)).isZero();
        assertThat(rate(List.of(SMALL, LARGE))).isPositive();
        assertThat(folder).isEmptyDirectory();
    }

    private double rate(List<Groups> sizes) throws Exception {
        return GroupWriter.messagesPerSecond(folder, sizes, 1, Duration.ofMillis(100));
    }
}
