package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;

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
    void nothingIsKeptUntilContentIsRead() {
        fresh.takeOver(content(1));
        assertThat(fresh.read(1)).isNull();
        fresh.takeOver(content(2));
        assertThat(fresh.read(2)).isNotNull();
        assertThat(budget.bytesUsed()).isZero();
        fresh.close();
    }

    @Test
    void whatIsReadIsWhatCame() {
        fresh.read(0);
        fresh.takeOver(content(7));
        byte[] octets = Objects.requireNonNull(fresh.read(7)).array();
        assertThat(octets).isEqualTo(StoreUnderTest.octets(7, CONTENT_BYTES));
        // A delivery may read it again, until the first attempt has ended.
        assertThat(fresh.read(7)).isNotNull();
        fresh.drop(7);
        assertThat(fresh.read(7)).isNull();
        fresh.close();
    }

    @Test
    void theOldestGivesWay() {
        fresh.read(0);
        for (int id = 1; id <= 20; id++) {
            fresh.takeOver(content(id));
        }
        assertThat(fresh.read(1)).isNull();
        assertThat(fresh.read(20)).isNotNull();
        int kept = 0;
        for (int id = 1; id <= 20; id++) {
            kept += fresh.read(id) == null ? 0 : 1;
        }
        assertThat(kept * CONTENT_BYTES).isBetween(CONTENT_BYTES, BYTES_MAX);
        fresh.close();
    }

    @Test
    void nothingIsKeptWhenNobodyReadsAnyMoreAndAgainWhenSomebodyDoes() {
        fresh.read(0);
        for (int id = 1; id <= 1100; id++) {
            fresh.takeOver(content(id));
        }
        fresh.takeOver(content(2000));
        assertThat(fresh.read(2000)).isNull();
        fresh.takeOver(content(2001));
        assertThat(fresh.read(2001)).isNotNull();
        fresh.close();
    }

    @Test
    void whatWasStoredIsNotWholeAndNotKept() {
        fresh.read(0);
        Content content = content(1);
        content.markExtentStored();
        fresh.takeOver(content);
        assertThat(fresh.read(1)).isNull();
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void aClosedOneKeepsNothing() {
        fresh.read(0);
        fresh.close();
        fresh.read(0);
        fresh.takeOver(content(1));
        assertThat(fresh.read(1)).isNull();
    }

    @Test
    void aContentThatWasClosedBeforeIsRefused() {
        fresh.read(0);
        Content content = content(1);
        content.close();
        assertThatThrownBy(() -> fresh.takeOver(content)).isInstanceOf(IllegalStateException.class);
        assertThat(budget.bytesUsed()).isZero();
    }

    private Content content(long id) {
        Content content =
                Objects.requireNonNull(Content.open(new QueueId(id), budget, CONTENT_BYTES));
        byte[] octets = StoreUnderTest.octets(id, CONTENT_BYTES);
        assertThat(content.append(octets, 0, octets.length)).isTrue();
        return content;
    }
}
