package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;

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
    void readsWhatItWrites() {
        List<RecipientResult> results = List.of(
                RecipientResult.DELIVERED,
                RecipientResult.failed("550 5.1.1 nobody"),
                RecipientResult.pending("451 4.2.1 sp\u00e4ter"),
                new RecipientResult(RecipientResult.State.DELAYED, "451 4.2.1 sp\u00e4ter"),
                RecipientResult.UNTRIED);
        assertThat(RecipientResults.bounded(results)).isEqualTo(results);
        assertThat(RecipientResults.decode(ByteBuffer.wrap(encoded(results)))).isEqualTo(results);
    }

    @Test
    void manyLongRepliesHaveABound() {
        List<RecipientResult> results = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            results.add(RecipientResult.failed(i + " " + "x".repeat(2_000)));
        }
        List<RecipientResult> bounded = RecipientResults.bounded(results);
        assertThat(bounded)
                .hasSize(1_000)
                .allMatch(result -> result.state() == RecipientResult.State.FAILED);
        assertThat(bounded.getFirst().reply()).startsWith("0 xxx").hasSize(512);
        byte[] octets = encoded(bounded);
        assertThat(octets).hasSizeLessThan(20_000);
        assertThat(RecipientResults.decode(ByteBuffer.wrap(octets))).isEqualTo(bounded);
    }

    @Test
    void garbageIsRefused() {
        byte[] good = encoded(List.of(RecipientResult.DELIVERED, RecipientResult.failed("550 no")));
        for (int length = 0; length < good.length; length++) {
            assertRefused(Arrays.copyOf(good, length));
        }
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] damaged = good.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            try {
                assertThat(RecipientResults.decode(ByteBuffer.wrap(damaged)))
                        .as("seed %s", seed)
                        .hasSizeLessThanOrEqualTo(2);
            } catch (BufferUnderflowException | IllegalArgumentException e) {
                assertThat(e).isNotNull();
            }
        }
    }

    private static void assertRefused(byte[] octets) {
        try {
            RecipientResults.decode(ByteBuffer.wrap(octets));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return;
        }
        throw new AssertionError(octets.length + " octets were taken for results");
    }

    private static byte[] encoded(List<RecipientResult> results) {
        ByteBuffer out = ByteBuffer.allocate(RecipientResults.bytesMax(results));
        RecipientResults.encode(results, out);
        return Arrays.copyOf(out.array(), out.position());
    }
}
