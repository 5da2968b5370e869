package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A store that was made before did not count the octets of dead letters. */
final class TotalsTest {
    @Test
    void theTotalsOfAnOlderStoreAreRead() {
        Totals totals = new Totals(7, 700, 2, 200, 1, 9);
        assertThat(Totals.decode(totals.encode())).isEqualTo(totals);
        byte[] older = Arrays.copyOf(totals.encode(), 5 * Long.BYTES);
        assertThat(Totals.decode(older)).isEqualTo(totals.withDeadBytes(Totals.NOT_COUNTED));
        byte[] without = Arrays.copyOf(totals.withDeadBytes(0).encode(), 5 * Long.BYTES);
        ByteBuffer.wrap(without).putLong(2 * Long.BYTES, 0);
        assertThat(Totals.decode(without).deadBytes()).isZero();
    }
}
