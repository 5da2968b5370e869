package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.RecipientResult;
import org.junit.jupiter.api.Test;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Results are read as they were written, have a bound, and garbage is refused, never an allocation. */
final class RecipientResultsTest {
    @Test
    void manyLongRepliesHaveABound() {
        List<RecipientResult> results = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            results.add(RecipientResult.failed(i + " \u00e4 " + "x".repeat(2_000)));
        }
        List<RecipientResult> bounded = RecipientResults.bounded(results);
        assertThat(bounded)
                .hasSize(1_000)
                .allMatch(result -> result.state() == RecipientResult.State.FAILED);
        assertThat(bounded.getFirst().reply()).startsWith("0 \u00e4 xxx").hasSize(512);
        byte[] octets = encoded(bounded);
        assertThat(octets).hasSizeLessThan(20_000);
        assertThat(RecipientResults.decode(ByteBuffer.wrap(octets))).isEqualTo(bounded);
    }

    @Test
    void garbageIsRefused() {
        byte[] good = encoded(List.of(RecipientResult.DELIVERED, RecipientResult.failed("550 no")));
        for (int length = 0; length < good.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(good, 0, length);
            assertThatThrownBy(() -> RecipientResults.decode(cut))
                    .isInstanceOfAny(
                            BufferUnderflowException.class, IllegalArgumentException.class);
        }
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            byte[] damaged = good.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            try {
                assertThat(RecipientResults.decode(ByteBuffer.wrap(damaged)))
                        .hasSizeLessThanOrEqualTo(2);
            } catch (BufferUnderflowException | IllegalArgumentException e) {
                assertThat(e).isNotNull();
            }
        }
    }

    private static byte[] encoded(List<RecipientResult> results) {
        ByteBuffer out = ByteBuffer.allocate(RecipientResults.bytesMax(results));
        RecipientResults.encode(results, out);
        return Arrays.copyOf(out.array(), out.position());
    }
}
