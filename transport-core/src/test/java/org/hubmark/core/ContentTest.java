package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;

/** A content holds what was appended, never more memory than the budget, and gives it all back. */
class ContentTest {
    private static final QueueId ID = new QueueId(1);

    private final ContentBudget budget = new ContentBudget(8 << 20);

    private Content open(int expectedBytes) {
        return Objects.requireNonNull(Content.open(ID, budget, expectedBytes));
    }

    @AfterEach
    void allIsGivenBack() {
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void holdsWhatWasAppended() {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        byte[] octets = new byte[300_000];
        random.nextBytes(octets);
        ByteBuf source = Unpooled.wrappedBuffer(octets);
        try (Content content = open(0)) {
            for (int at = 0; at < octets.length; ) {
                int length = Math.min(1 + random.nextInt(5_000), octets.length - at);
                boolean taken = random.nextBoolean()
                        ? content.append(source, at, length)
                        : content.append(octets, at, length);
                assertThat(taken).as("seed %d", seed).isTrue();
                at += length;
            }
            byte[] held = new byte[content.memoryBytes()];
            content.memory().get(held);
            assertThat(held).as("seed %d", seed).isEqualTo(octets);
            assertThat(budget.bytesUsed()).isBetween(300_000L, 1L << 20);
        }
    }

    @Test
    void refusesWhatTheBudgetHasNoRoomFor() {
        ContentBudget small = new ContentBudget(10_000);
        try (Content content = Objects.requireNonNull(Content.open(ID, small, 8_000))) {
            assertThat(content.append(new byte[8_000], 0, 8_000)).isTrue();
            assertThat(Content.open(ID, small, 4_000)).isNull();
            assertThat(content.append(new byte[1], 0, 1)).isFalse();
            assertThat(content.sizeBytes()).isEqualTo(8_000);
            assertThat(small.refusals()).isEqualTo(2);
        }
        assertThat(small.bytesUsed()).isZero();
    }

    @Test
    void countsStoredExtentsAndStartsAgainEmpty() {
        try (Content content = open(0)) {
            byte[] octets = new byte[5_000];
            Arrays.fill(octets, (byte) 'x');
            assertThat(content.append(octets, 0, 5_000)).isTrue();
            content.markExtentStored();
            assertThat(content.append(octets, 0, 10)).isTrue();
            assertThat(content.sizeBytes()).isEqualTo(5_010);
            assertThat(content.storedBytes()).isEqualTo(5_000);
            assertThat(content.storedExtents()).isOne();
            ByteBuffer memory = content.memory();
            assertThat(memory.remaining()).isEqualTo(10);
            assertThat(memory.isDirect()).isTrue();
        }
    }

    @Test
    void whatIsAnnouncedTakesMemoryOnlyWhenItComes() {
        try (Content content = open(1 << 20)) {
            assertThat(content.append(new byte[100], 0, 100)).isTrue();
            assertThat(budget.bytesUsed()).isLessThanOrEqualTo(4_096);
            assertThat(content.append(new byte[9_900], 0, 9_900)).isTrue();
            assertThat(budget.bytesUsed())
                    .isLessThanOrEqualTo(2 * 10_000 + Content.ALIGNMENT_BYTES);
        }
        try (Content content = open(57_000)) {
            assertThat(content.makeRoom(40_000)).isTrue();
            assertThat(budget.bytesUsed()).isEqualTo(57_000 + Content.ALIGNMENT_BYTES);
        }
    }

    @Test
    void largeContentBeginsAtAPageAlsoAfterItHasGrownOrWasStored() {
        byte[] octets = new byte[10_000];
        new Random(1).nextBytes(octets);
        for (int expected : new int[] {0, 10_001, 57_000, 1 << 20}) {
            try (Content content = open(expected)) {
                CRC32C crc = new CRC32C();
                for (int i = 0; i < 30; i++) {
                    assertThat(content.append(octets, i, 9_000)).isTrue();
                    crc.update(octets, i, 9_000);
                    ByteBuffer memory = content.memory();
                    assertThat(content.checksum()).isEqualTo((int) crc.getValue());
                    if (memory.remaining() >= Content.ALIGNED_BYTES_MIN) {
                        assertThat(memory.alignmentOffset(0, Content.ALIGNMENT_BYTES))
                                .isZero();
                    }
                    if (i % 10 == 9) {
                        content.markExtentStored();
                        crc.reset();
                    }
                }
                ByteBuf binary = Unpooled.wrappedBuffer(octets);
                assertThat(content.append(binary, 5, 20)).isTrue();
                crc.update(octets, 5, 20);
                assertThat(content.checksum()).isEqualTo((int) crc.getValue());
            }
        }
    }

    @Test
    void anAllocationThatFailsGivesItsReservationBack() {
        ExhaustibleAllocator allocator = new ExhaustibleAllocator();
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 0, allocator))) {
            assertThat(content.append(new byte[4_000], 0, 4_000)).isTrue();
            allocator.exhausted = true;
            long usedBytes = budget.bytesUsed();
            assertThat(content.append(new byte[8_000], 0, 8_000)).isFalse();
            assertThat(budget.bytesUsed()).isEqualTo(usedBytes);
            assertThat(budget.refusals()).isOne();
            assertThat(content.sizeBytes()).isEqualTo(4_000);
            allocator.exhausted = false;
            assertThat(content.append(new byte[8_000], 0, 8_000)).isTrue();
        }
    }

    @Test
    void aShareIsBoundedByItselfAndByTheWhole() {
        ContentBudget whole = new ContentBudget(100);
        ContentBudget one = whole.share(60);
        ContentBudget other = whole.share(60);
        assertThat(one.reserve(60)).isTrue();
        assertThat(one.reserve(1)).isFalse();
        assertThat(other.reserve(41)).isFalse();
        assertThat(other.bytesUsed()).isZero();
        assertThat(other.reserve(40)).isTrue();
        assertThat(whole.bytesUsed()).isEqualTo(100);
        assertThat(whole.refusals()).isEqualTo(2);
        one.release(60);
        other.release(40);
        assertThat(whole.bytesUsed()).isZero();
    }

    /** Allocates until it is told that memory is used up. */
    private static final class ExhaustibleAllocator extends AbstractByteBufAllocator {
        private boolean exhausted;

        ExhaustibleAllocator() {
            super(true);
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new AssertionError("content is direct");
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (exhausted) {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            }
            return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }
}
