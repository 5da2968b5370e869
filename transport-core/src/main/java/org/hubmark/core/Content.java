package org.hubmark.core;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The octets of one message while it is being received: dot-unstuffed, CRLF line ends, our trace
 * field on top. One pooled direct buffer holds what is in memory, which is the whole message or,
 * for a large one, what was not yet passed to {@link Intake#storeExtent}.
 *
 * <p>Memory is taken for octets that have come, never for those that a peer has only announced; what
 * was announced merely keeps a buffer that has to grow anyway from growing further than needed.
 *
 * <p>One owner at a time and no locks: the session until it hands the content to an intake, the
 * intake until it answers. Whoever owns it last calls {@link #close}.
 */
public final class Content implements AutoCloseable {
    /** What is in memory is stored as an extent when it has reached this; a smaller message never is. */
    public static final int EXTENT_BYTES_MAX = 1 << 20;

    /**
     * From this size on what is in memory begins at a multiple of {@link #ALIGNMENT_BYTES}, so that an
     * intake can write it past the page cache without a copy (open(2), O_DIRECT).
     */
    public static final int ALIGNED_BYTES_MIN = 16 << 10;

    /** A page of memory, and no less than a block of a disk. */
    public static final int ALIGNMENT_BYTES = 4 << 10;

    /** Reserved when a content is opened, so that one that has no room is refused at its start. */
    private static final int CAPACITY_BYTES_MIN = 4 << 10;

    private final QueueId id;
    private final ContentBudget budget;
    private final ByteBufAllocator allocator;
    private final int expectedBytes;
    private final CRC32C crc = new CRC32C();
    private ByteBuf memory = Unpooled.EMPTY_BUFFER;
    private int start;
    private long reservedBytes = CAPACITY_BYTES_MIN;
    private long storedBytes;
    private int storedExtents;

    private Content(
            QueueId id, ContentBudget budget, long expectedBytes, ByteBufAllocator allocator) {
        this.id = id;
        this.budget = budget;
        this.allocator = allocator;
        this.expectedBytes = (int) Math.clamp(expectedBytes, 0L, (long) EXTENT_BYTES_MAX);
    }

    /**
     * Opens an empty content, owned by the caller.
     *
     * @param expectedBytes the size that the peer declared, or a guess; nothing is reserved for it
     * @return null when the budget has no room
     */
    public static @Nullable Content open(QueueId id, ContentBudget budget, long expectedBytes) {
        return open(id, budget, expectedBytes, BufferPool.allocator());
    }

    static @Nullable Content open(
            QueueId id, ContentBudget budget, long expectedBytes, ByteBufAllocator allocator) {
        return budget.reserve(CAPACITY_BYTES_MIN)
                ? new Content(id, budget, expectedBytes, allocator)
                : null;
    }

    /** {@return the queue id that the message will have} */
    public QueueId id() {
        return id;
    }

    /**
     * Makes room for octets that have come and will be appended, so that appending them bit by bit
     * takes one allocation.
     *
     * @return false when there is no memory for them; what was appended before is untouched
     */
    public boolean makeRoom(int lengthBytes) {
        return lengthBytes <= memory.writableBytes() || grow(memory.readableBytes() + lengthBytes);
    }

    /**
     * Copies octets to the end.
     *
     * @param source read from, its indices stay as they are
     * @return false, with nothing copied, when there is no memory for them
     */
    public boolean append(ByteBuf source, int index, int lengthBytes) {
        if (!makeRoom(lengthBytes)) {
            return false;
        }
        memory.writeBytes(source, index, lengthBytes);
        crc.update(source.nioBuffer(index, lengthBytes));
        return true;
    }

    /** Copies octets to the end; false, with nothing copied, when there is no memory for them. */
    public boolean append(byte[] source, int index, int lengthBytes) {
        if (!makeRoom(lengthBytes)) {
            return false;
        }
        memory.writeBytes(source, index, lengthBytes);
        crc.update(source, index, lengthBytes);
        return true;
    }

    /** {@return all octets of the message so far, stored ones too} */
    public long sizeBytes() {
        return storedBytes + memory.readableBytes();
    }

    /** {@return the octets that are in memory} */
    public int memoryBytes() {
        return memory.readableBytes();
    }

    /** {@return the octets that an intake has taken as extents} */
    public long storedBytes() {
        return storedBytes;
    }

    /** {@return how many parts an intake has taken} */
    public int storedExtents() {
        return storedExtents;
    }

    /**
     * {@return a view of the octets in memory} Valid until the next append, {@link #markExtentStored} or
     * {@link #close}; direct, so it can be written without a copy.
     */
    public ByteBuffer memory() {
        return memory.nioBuffer();
    }

    /**
     * {@return the CRC32C (RFC 3720 B.4) of the octets in memory} It grows with them, while they are in the
     * processor's cache.
     */
    public int checksum() {
        return (int) crc.getValue();
    }

    /** Called by an intake when the octets in memory have become an extent of its own: they go. */
    public void markExtentStored() {
        storedBytes += memory.readableBytes();
        storedExtents++;
        memory.setIndex(start, start);
        crc.reset();
    }

    /**
     * Closes this without freeing the memory.
     *
     * @return what was in memory, between the indices for reading; the caller's, who releases it
     * @throws IllegalStateException if it was closed before
     */
    public ByteBuf giveAway() {
        ByteBuf given = memory;
        if (reservedBytes == 0) {
            throw new IllegalStateException("the content is closed");
        }
        memory = Unpooled.EMPTY_BUFFER;
        close();
        return given;
    }

    /** Frees the memory and gives the reservation back. A second time it does nothing. */
    @Override
    public void close() {
        if (reservedBytes > 0) {
            memory.release();
            budget.release(reservedBytes);
            reservedBytes = 0;
        }
    }

    /**
     * Doubling keeps the copies of a growing message to one an octet, on the average. The expected
     * size takes the place of the double where it lies between: mostly no octet is copied then.
     */
    private boolean grow(int neededBytes) {
        long doubleBytes = Math.max(CAPACITY_BYTES_MIN, 2L * neededBytes);
        int capacityBytes = expectedBytes >= neededBytes && expectedBytes < doubleBytes
                ? expectedBytes
                : (int) Math.max(neededBytes, Math.min(doubleBytes, EXTENT_BYTES_MAX));
        boolean aligned = capacityBytes >= ALIGNED_BYTES_MIN;
        int slackBytes = aligned ? ALIGNMENT_BYTES : 0;
        long moreBytes = Math.max(0, capacityBytes + slackBytes - reservedBytes);
        if (!budget.reserve(moreBytes)) {
            return false;
        }
        try {
            ByteBuf larger = allocator.directBuffer(capacityBytes + slackBytes);
            start = aligned ? toAlignment(larger) : 0;
            larger.setIndex(start, start).writeBytes(memory);
            memory.release();
            memory = larger;
            reservedBytes += moreBytes;
            return true;
        } catch (OutOfMemoryError e) {
            // Direct memory has a limit of its own, which others use up too. That is no room, too.
            budget.release(moreBytes);
            budget.countRefusal();
            return false;
        }
    }

    private static int toAlignment(ByteBuf buffer) {
        int behind = buffer.nioBuffer(0, buffer.capacity()).alignmentOffset(0, ALIGNMENT_BYTES);
        return behind == 0 ? 0 : ALIGNMENT_BYTES - behind;
    }
}
