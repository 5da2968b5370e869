package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Proves that each mix has the sizes and shares that were asked for, and repeats with its seed. */
class SizeMixTest {
    private static final int SENT = 100_000;
    private static final TargetProbe.Announced ALL =
            new TargetProbe.Announced("", true, true, true, 0L);

    @Test
    void sendsEachSizeInItsShare() {
        List<Integer> sent = sent("4KB=70,57KB=20,1MB=10", 3);
        Map<Integer, Long> counts =
                sent.stream().collect(Collectors.groupingBy(size -> size, Collectors.counting()));
        assertThat(counts.keySet()).containsExactlyInAnyOrder(4_000, 57_000, 1_000_000);
        // Three standard deviations of a binomial count are below 0.5%.
        assertThat(share(counts, 4_000)).isCloseTo(0.7, within(0.005));
        assertThat(share(counts, 57_000)).isCloseTo(0.2, within(0.005));
        assertThat(share(counts, 1_000_000)).isCloseTo(0.1, within(0.005));
        // In random order: what follows a size doesn't depend on it.
        long pairs = 0;
        for (int i = 1; i < SENT; i++) {
            if (sent.get(i - 1) == 4_000 && sent.get(i) == 4_000) {
                pairs++;
            }
        }
        assertThat(pairs / (double) SENT).isCloseTo(0.49, within(0.01));
    }

    @Test
    void theSameSeedSendsTheSame() {
        String mix = "4KB=1,5KB=1";
        assertThat(sent(mix, 1)).isEqualTo(sent(mix, 1)).isNotEqualTo(sent(mix, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4KB              | is not SIZE=WEIGHT",
                "4KB=0            | weight above 0",
                "4KB=x            | a list of sizes with weights",
                "1B=1             | a size is 2B to 1GB",
            })
    void saysWhatIsWrong(String text, String words) {
        assertThatThrownBy(() -> SizeMix.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not a list of sizes")
                .hasMessageContaining(words);
    }

    private static double share(Map<Integer, Long> counts, int size) {
        Long count = counts.get(size);
        return count == null ? 0 : count / (double) SENT;
    }

    private static List<Integer> sent(String mix, long seed) {
        LoadPlan plan = LoadPlan.of(
                InetSocketAddress.createUnresolved("x", 1),
                1,
                new Pace.ClosedLoop(),
                Transfer.DATA,
                "a@x",
                "b@x");
        MessageGenerator generator = new MessageGenerator(seed, Instant.EPOCH, "a@x", "b@x");
        try (MessageSet messages = MessageSet.generate(SizeMix.parse(mix), generator, plan, ALL)) {
            List<Integer> sizes = new ArrayList<>();
            double sum = 0;
            for (int i = 0; i < SENT; i++) {
                int size = messages.get(i).contentBytes();
                sizes.add(size);
                sum += size;
            }
            assertThat(messages.sizeBytesMean() * SENT / sum).isCloseTo(1, within(0.05));
            return sizes;
        }
    }
}
