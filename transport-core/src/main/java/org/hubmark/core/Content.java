package org.hubmark.core;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * The octets of one message while it is being received: dot-unstuffed, CRLF line ends, our trace
 * field on top. One pooled direct buffer holds what is in memory, which is the whole message or,
 * for a large one, what was not yet passed to {@link Intake#spool}.
 *
 * <p>One owner at a time and no locks: the session until it hands the content to an intake, the
 * intake until it answers. Whoever owns it last calls {@link #close}.
 */
public final class Content implements AutoCloseable {
    /** What is in memory is spooled when it has reached this; a smaller message never is. */
    public static final int PART_BYTES_MAX = 1 << 20;

    private static final int CAPACITY_BYTES_MIN = 4 << 10;

    private final QueueId id;
    private final ContentBudget budget;
    private final ByteBuf memory;
    private long reservedBytes;
    private long spooledBytes;
    private int spooledParts;

    private Content(QueueId id, ContentBudget budget, int capacityBytes) {
        this.id = id;
        this.budget = budget;
        this.reservedBytes = capacityBytes;
        this.memory = PooledByteBufAllocator.DEFAULT.directBuffer(capacityBytes);
    }

    /**
     * Opens an empty content, owned by the caller.
     *
     * @param expectedBytes the size that the peer declared, or a guess; what is reserved at first,
     *     up to one part
     * @return null when the budget has no room
     */
    public static @Nullable Content open(QueueId id, ContentBudget budget, long expectedBytes) {
        int capacityBytes =
                (int) Math.clamp(expectedBytes, (long) CAPACITY_BYTES_MIN, (long) PART_BYTES_MAX);
        return budget.reserve(capacityBytes) ? new Content(id, budget, capacityBytes) : null;
    }

    /** {@return the queue id that the message will have} */
    public QueueId id() {
        return id;
    }

    /**
     * Copies octets to the end.
     *
     * @param source read from, its indices stay as they are
     * @return false, with nothing copied, when the budget has no room for them
     */
    public boolean append(ByteBuf source, int index, int lengthBytes) {
        if (!makeRoom(lengthBytes)) {
            return false;
        }
        memory.writeBytes(source, index, lengthBytes);
        return true;
    }

    /** Copies octets to the end; false, with nothing copied, when the budget has no room. */
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

    private boolean makeRoom(int lengthBytes) {
        int neededBytes = memory.writerIndex() + lengthBytes;
        if (neededBytes <= memory.capacity()) {
            return true;
        }
        // Doubling keeps the copies of a growing message to one an octet, on the average.
        int capacityBytes = Math.max(neededBytes, memory.capacity() * 2);
        long moreBytes = capacityBytes - reservedBytes;
        if (!budget.reserve(moreBytes)) {
            return false;
        }
        reservedBytes += moreBytes;
        memory.capacity(capacityBytes);
        return true;
    }
}
