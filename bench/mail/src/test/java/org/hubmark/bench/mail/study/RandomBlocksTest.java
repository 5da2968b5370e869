package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** Proves that chance gives the order within a block. RunSessionTest has blocks that are measured. */
class RandomBlocksTest {
    private static final List<String> ALL = List.of("4KB", "57KB", "80KB", "1MB");

    /** Over many seeds, and over many blocks of one. */
    @Test
    void eachIsAsOftenFirst() {
        for (String one : ALL) {
            long first = IntStream.range(0, 4000)
                    .filter(seed -> new RunRequest.Repeats(1, seed)
                            .order(ALL, 2)
                            .getFirst()
                            .equals(one))
                    .count();
            assertThat(first).as(one).isBetween(850L, 1150L);
            long blocks = IntStream.range(0, 4000)
                    .filter(repeat -> new RunRequest.Repeats(1, 1)
                            .order(ALL, repeat)
                            .getFirst()
                            .equals(one))
                    .count();
            assertThat(blocks).as(one).isBetween(850L, 1150L);
        }
    }
}
