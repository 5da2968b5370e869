package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** Proves that each block has everything once, in an order that chance gives and a seed repeats. */
class RandomBlocksTest {
    private static final List<String> ALL = List.of("4KB", "57KB", "80KB", "1MB");

    /** A session that goes on from the third repeat measures it in the order that it would have had. */
    @Test
    void eachBlockHasEverythingOnceInAnOrderOfItsOwnThatTheSeedRepeats() {
        RunRequest.Repeats blocks = new RunRequest.Repeats(1, 1);
        List<List<String>> orders = IntStream.rangeClosed(1, 10)
                .mapToObj(repeat -> blocks.order(ALL, repeat))
                .toList();
        assertThat(orders).allSatisfy(order -> assertThat(order).hasSameElementsAs(ALL));
        assertThat(orders.stream().distinct().count()).isGreaterThan(5);
        assertThat(new RunRequest.Repeats(1, 1).order(ALL, 3)).isEqualTo(orders.get(2));
    }

    /** Over many seeds each is as often first. */
    @Test
    void noneIsPreferred() {
        for (String one : ALL) {
            long first = IntStream.range(0, 4000)
                    .filter(seed -> new RunRequest.Repeats(1, seed)
                            .order(ALL, 2)
                            .getFirst()
                            .equals(one))
                    .count();
            assertThat(first).as(one).isBetween(850L, 1150L);
        }
    }
}
