package org.hubmark.core;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * The octets of one message while it is being received: dot-unstuffed, CRLF line ends, our trace
 * field on top. One pooled direct buffer holds what is in memory, which is the whole message or,
 * for a large one, what was not yet passed to {@link Intake#spool}.
 *
 * <p>Memory is taken for octets that have come, never for those that a peer has only announced; what
 * was announced merely keeps a buffer that has to grow anyway from growing further than needed.
 *
 * <p>One owner at a time and no locks: the session until it hands the content to an intake, the
 * intake until it answers. Whoever owns it last calls {@link #close}.
 */
public final class Content implements AutoCloseable {
    /** What is in memory is spooled when it has reached this; a smaller message never is. */
    public static final int PART_BYTES_MAX = 1 << 20;

    /** Reserved when a content is opened, so that one that has no room is refused at its start. */
    private static final int CAPACITY_BYTES_MIN = 4 << 10;

    private final QueueId id;
    private final ContentBudget budget;
    private final ByteBufAllocator allocator;
    private final int expectedBytes;
    private ByteBuf memory = Unpooled.EMPTY_BUFFER;
    private long reservedBytes = CAPACITY_BYTES_MIN;
    private long spooledBytes;
    private int spooledParts;

    private Content(
            QueueId id, ContentBudget budget, long expectedBytes, ByteBufAllocator allocator) {
        this.id = id;
        this.budget = budget;
        this.allocator = allocator;
        this.expectedBytes = (int) Math.clamp(expectedBytes, 0L, (long) PART_BYTES_MAX);
    }

    /**
     * Opens an empty content, owned by the caller.
     *
     * @param expectedBytes the size that the peer declared, or a guess; nothing is reserved for it
     * @return null when the budget has no room
     */
    public static @Nullable Content open(QueueId id, ContentBudget budget, long expectedBytes) {
        return open(id, budget, expectedBytes, PooledByteBufAllocator.DEFAULT);
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
        int neededBytes = memory.readableBytes() + lengthBytes;
        return neededBytes <= memory.capacity() || grow(neededBytes);
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
        return true;
    }

    /** Copies octets to the end; false, with nothing copied, when there is no memory for them. */
    public boolean append(byte[] source, int index, int lengthBytes) {
        if (!makeRoom(lengthBytes)) {
            return false;
        }
        memory.writeBytes(source, index, lengthBytes);
        return true;
    }

    /** {@return all octets of the message so far, spooled ones too} */
    public long sizeBytes() {
        return spooledBytes + memory.readableBytes();
    }

    /** {@return the octets that are in memory} */
    public int memoryBytes() {
        return memory.readableBytes();
    }

    /** {@return the octets that an intake has taken as parts} */
    public long spooledBytes() {
        return spooledBytes;
    }

    /** {@return how many parts an intake has taken} */
    public int spooledParts() {
        return spooledParts;
    }

    /**
     * {@return a view of the octets in memory} Valid until the next append, {@link #markSpooled} or
     * {@link #close}; direct, so it can be written without a copy.
     */
    public ByteBuffer memory() {
        return memory.nioBuffer();
    }

    /** Called by an intake when the octets in memory have become a part of its own: they go. */
    public void markSpooled() {
        spooledBytes += memory.readableBytes();
        spooledParts++;
        memory.clear();
    }

    /** Frees the memory and gives the reservation back. */
    @Override
    public void close() {
        memory.release();
        budget.release(reservedBytes);
        reservedBytes = 0;
    }

    /**
     * Doubling keeps the copies of a growing message to one an octet, on the average. The expected
     * size takes the place of the double where it lies between: mostly no octet is copied then.
     */
    private boolean grow(int neededBytes) {
        long doubleBytes = Math.max(CAPACITY_BYTES_MIN, 2L * neededBytes);
        int capacityBytes = expectedBytes >= neededBytes && expectedBytes < doubleBytes
                ? expectedBytes
                : (int) Math.max(neededBytes, Math.min(doubleBytes, PART_BYTES_MAX));
        long moreBytes = Math.max(0, capacityBytes - reservedBytes);
        if (!budget.reserve(moreBytes)) {
            return false;
        }
        try {
            ByteBuf larger = allocator.directBuffer(capacityBytes);
            larger.writeBytes(memory);
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
}
