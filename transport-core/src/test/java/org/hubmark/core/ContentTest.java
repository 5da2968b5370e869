package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;

/** A content holds what was appended, never more memory than the budget, and gives it all back. */
class ContentTest {
    private static final QueueId ID = new QueueId(1);

    @Test
    void holdsWhatWasAppended() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] octets = new byte[300_000];
        random.nextBytes(octets);
        ByteBuf source = Unpooled.wrappedBuffer(octets);
        ContentBudget budget = new ContentBudget(1 << 20);
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 0))) {
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
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void refusesWhatTheBudgetHasNoRoomFor() {
        ContentBudget budget = new ContentBudget(10_000);
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 8_000))) {
            assertThat(content.append(new byte[8_000], 0, 8_000)).isTrue();
            assertThat(Content.open(ID, budget, 4_000)).isNull();
            assertThat(content.append(new byte[1], 0, 1)).isFalse();
            assertThat(content.sizeBytes()).isEqualTo(8_000);
            assertThat(budget.refusals()).isEqualTo(2);
        }
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void countsStoredExtentsAndStartsAgainEmpty() {
        ContentBudget budget = new ContentBudget(1 << 20);
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 0))) {
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
    void whatIsOnlyAnnouncedTakesNoMemory() {
        ContentBudget budget = new ContentBudget(1 << 20);
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 1 << 20))) {
            assertThat(content.append(new byte[100], 0, 100)).isTrue();
            assertThat(budget.bytesUsed()).isLessThanOrEqualTo(4_096);
            assertThat(content.append(new byte[9_900], 0, 9_900)).isTrue();
            assertThat(budget.bytesUsed())
                    .isLessThanOrEqualTo(2 * 10_000 + Content.ALIGNMENT_BYTES);
        }
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void whatIsThereTakesWhatWasAnnounced() {
        ContentBudget budget = new ContentBudget(1 << 20);
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 57_000))) {
            assertThat(content.makeRoom(40_000)).isTrue();
            assertThat(budget.bytesUsed()).isEqualTo(57_000 + Content.ALIGNMENT_BYTES);
        }
    }

    @Test
    void largeContentBeginsAtAPageAlsoAfterItHasGrownOrWasStored() {
        ContentBudget budget = new ContentBudget(8 << 20);
        byte[] octets = new byte[10_000];
        new Random(1).nextBytes(octets);
        for (int expected : new int[] {0, 10_001, 57_000, 1 << 20}) {
            try (Content content = Objects.requireNonNull(Content.open(ID, budget, expected))) {
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
        assertThat(budget.bytesUsed()).isZero();
    }

    /** In the buffer that it was read into, without what a sender has taken from it, and then beyond it. */
    @Test
    void staysWhereItWasRead() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ContentBudget budget = new ContentBudget(1 << 20);
        byte[] field = new byte[100];
        byte[] octets = new byte[50_000];
        random.nextBytes(field);
        random.nextBytes(octets);
        ByteBuf read = aligned(64 << 10, field.length);
        long address = read.memoryAddress() + read.readerIndex();
        read.writeBytes(octets);
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 0))) {
            assertThat(content.adopt(read, field, octets.length)).isTrue();
            assertThat(budget.bytesUsed()).isEqualTo(read.capacity());
            assertThat(append(content, read, octets, 0, 20_000)).isTrue();
            assertThat(PlatformDependent.directBufferAddress(content.memory()) + field.length)
                    .isEqualTo(address);
            // Its memory is not only its own yet: behind it are octets that are still to be looked
            // at.
            int left = 1;
            assertThat(append(content, read, octets, 20_000 + left, 20_000 - left))
                    .isTrue();
            byte[] whole = concat(field, octets, 0, 20_000, 20_000 + left, 40_000);
            assertHolds(content, whole, seed);
            assertThat(content.append(field, 0, 2)).isTrue();
            assertThat(ByteBufUtil.getBytes(read, read.readerIndex() + 40_000, 10_000))
                    .as("seed %d", seed)
                    .isEqualTo(Arrays.copyOfRange(octets, 40_000, 50_000));
            whole = Arrays.copyOf(whole, whole.length + 2);
            System.arraycopy(field, 0, whole, whole.length - 2, 2);
            assertHolds(content, whole, seed);
        }
        assertThat(read.release()).isTrue();
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void isReadIntoWhatIsFree() {
        ContentBudget budget = new ContentBudget(4 << 20);
        byte[] octets = new byte[700_000];
        new Random(1).nextBytes(octets);
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, 0))) {
            assertThat(content.free()).isNull();
            assertThat(content.append(octets, 0, 300_000)).isTrue();
            for (int at = 300_000; at < octets.length; ) {
                ByteBuf free = Objects.requireNonNull(content.free());
                int count = Math.min(free.writableBytes(), octets.length - at);
                free.writeBytes(octets, at, count);
                long address = free.memoryAddress();
                assertThat(append(content, free, octets, 0, count, at)).isTrue();
                ByteBuffer memory = content.memory();
                assertThat(PlatformDependent.directBufferAddress(memory) + at).isEqualTo(address);
                free.release();
                at += count;
                if (at < octets.length) {
                    assertThat(content.makeRoom(Content.EXTENT_BYTES_MAX - at)).isTrue();
                }
            }
            assertHolds(content, octets, 1);
        }
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void isCopiedWhereThatIsBetter() {
        ContentBudget budget = new ContentBudget(64 << 10);
        byte[] field = new byte[100];
        ByteBuf read = aligned(64 << 10, field.length).writeZero(40_000);
        // Not aligned with another field; too small for the buffer; too large for it; no room.
        assertThat(isAdopted(budget, 0, read, new byte[99], 40_000)).isFalse();
        assertThat(isAdopted(budget, 0, read, field, 30_000)).isFalse();
        assertThat(isAdopted(budget, 70_000, read, field, 40_000)).isFalse();
        assertThat(isAdopted(new ContentBudget(50_000), 0, read, field, 40_000)).isFalse();
        assertThat(isAdopted(budget, 0, Unpooled.wrappedBuffer(new byte[70_000]), field, 40_000))
                .isFalse();
        assertThat(isAdopted(budget, 40_000, read, field, 1)).isTrue();
        assertThat(read.release()).isTrue();
        assertThat(budget.bytesUsed()).isZero();
    }

    private static boolean isAdopted(
            ContentBudget budget, long expected, ByteBuf read, byte[] field, int octets) {
        try (Content content = Objects.requireNonNull(Content.open(ID, budget, expected))) {
            return content.adopt(read, field, octets);
        }
    }

    /** {@return an empty buffer whose first octet but some is aligned} Exactly so large. */
    private static ByteBuf aligned(int bytes, int leadBytes) {
        ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(bytes);
        int begin = (int) (-buffer.memoryAddress() & (Content.ALIGNMENT_BYTES - 1)) + leadBytes;
        return buffer.setIndex(begin, begin);
    }

    private static boolean append(
            Content content, ByteBuf read, byte[] copy, int from, int lengthBytes) {
        return append(content, read, copy, from, lengthBytes, from);
    }

    private static boolean append(
            Content content, ByteBuf read, byte[] copy, int from, int lengthBytes, int copyFrom) {
        int index = read.readerIndex() + from;
        return lengthBytes % 2 == 0
                ? content.append(read, index, copy, copyFrom, lengthBytes)
                : content.append(read, index, lengthBytes);
    }

    private static byte[] concat(
            byte[] field, byte[] octets, int from, int to, int andFrom, int andTo) {
        byte[] all = Arrays.copyOf(field, field.length + to - from + andTo - andFrom);
        System.arraycopy(octets, from, all, field.length, to - from);
        System.arraycopy(octets, andFrom, all, field.length + to - from, andTo - andFrom);
        return all;
    }

    private static void assertHolds(Content content, byte[] octets, long seed) {
        byte[] held = new byte[content.memoryBytes()];
        content.memory().get(held);
        assertThat(held).as("seed %d", seed).isEqualTo(octets);
        CRC32C crc = new CRC32C();
        crc.update(octets);
        assertThat(content.checksum()).as("seed %d", seed).isEqualTo((int) crc.getValue());
    }

    @Test
    void anAllocationThatFailsGivesItsReservationBack() {
        ContentBudget budget = new ContentBudget(1 << 20);
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
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void aShareIsBoundedByItselfAndByTheWhole() {
        ContentBudget budget = new ContentBudget(100);
        ContentBudget one = budget.share(60);
        ContentBudget other = budget.share(60);
        assertThat(one.reserve(60)).isTrue();
        assertThat(one.reserve(1)).isFalse();
        assertThat(other.reserve(41)).isFalse();
        assertThat(other.bytesUsed()).isZero();
        assertThat(other.reserve(40)).isTrue();
        assertThat(budget.bytesUsed()).isEqualTo(100);
        assertThat(budget.refusals()).isEqualTo(2);
        one.release(60);
        other.release(40);
        assertThat(budget.bytesUsed()).isZero();
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
