package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Proves that fresh content is kept only while somebody reads content, never beyond its bound, and
 * that none of its memory stays behind: the allocator of the tests looks for leaks.
 */
class FreshContentTest {
    private static final int BYTES_MAX = 100_000;
    private static final int CONTENT_BYTES = 20_000;

    private final ContentBudget budget = new ContentBudget(1 << 20);
    private final FreshContent fresh = new FreshContent(BYTES_MAX);

    @Test
    void theOldestGivesWay() {
        assertThat(read(0)).isNull();
        for (int id = 1; id <= 20; id++) {
            fresh.takeOver(content(id));
        }
        assertThat(read(1)).isNull();
        assertThat(read(20)).isNotNull();
        int kept = 0;
        for (int id = 1; id <= 20; id++) {
            kept += read(id) == null ? 0 : 1;
        }
        assertThat(kept * CONTENT_BYTES).isBetween(CONTENT_BYTES, BYTES_MAX);
        fresh.close();
    }

    @Test
    void nothingIsKeptWhenNobodyReadsAnyMoreAndAgainWhenSomebodyDoes() {
        assertThat(read(0)).isNull();
        for (int id = 1; id <= 1100; id++) {
            fresh.takeOver(content(id));
        }
        fresh.takeOver(content(2000));
        assertThat(read(2000)).isNull();
        fresh.takeOver(content(2001));
        assertThat(read(2001)).isNotNull();
        assertThat(budget.bytesUsed()).isZero();
        fresh.close();
    }

    @Test
    void aClosedOneKeepsNothing() {
        assertThat(read(0)).isNull();
        fresh.close();
        assertThat(read(0)).isNull();
        fresh.takeOver(content(1));
        assertThat(read(1)).isNull();
    }

    @Test
    void whatIsBeingReadStaysUntilItIsClosed() throws IOException {
        assertThat(read(0)).isNull();
        fresh.takeOver(content(1));
        try (InputStream stream = Objects.requireNonNull(fresh.open(1))) {
            byte[] first = stream.readNBytes(100);
            fresh.drop(1);
            fresh.close();
            byte[] whole = Arrays.copyOf(first, CONTENT_BYTES);
            assertThat(stream.readNBytes(whole, 100, CONTENT_BYTES - 100))
                    .isEqualTo(CONTENT_BYTES - 100);
            assertThat(whole).isEqualTo(StoreUnderTest.octets(1, CONTENT_BYTES));
            assertThat(stream.read()).isEqualTo(-1);
        }
    }

    private byte @Nullable [] read(long id) {
        try (InputStream stream = fresh.open(id)) {
            return stream == null ? null : stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Content content(long id) {
        Content content =
                Objects.requireNonNull(Content.open(new QueueId(id), budget, CONTENT_BYTES));
        byte[] octets = StoreUnderTest.octets(id, CONTENT_BYTES);
        assertThat(content.append(octets, 0, octets.length)).isTrue();
        return content;
    }
}
