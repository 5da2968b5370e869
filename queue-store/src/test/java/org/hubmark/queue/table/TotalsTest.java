package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

/** Proves that totals are read as they were written, and that a row of another length is refused. */
final class TotalsTest {
    @Test
    void aRowSaysWhatWasWritten() throws Exception {
        Totals totals = new Totals(7, 700, 2, 200, 1, 9);
        byte[] row = totals.encode();
        assertThat(Totals.decode(row)).isEqualTo(totals);
        assertThatThrownBy(() -> Totals.decode(Arrays.copyOf(row, row.length - Long.BYTES)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("40 octets instead of 48");
    }
}
