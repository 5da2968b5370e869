package org.hubmark.bench.load;

import org.hubmark.core.FileErrors;
import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedContent;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * The messages of a share that a server has accepted, each by the queue id that its 250 named, with
 * the sum of what was sent. The first millions stay in memory, what comes after goes into a file
 * without a name, which ends with the process or with {@link #close}. A thread of its own writes it, so that no
 * message waits for a disk; what is not written yet is in memory. They are read by {@link #ranges} of
 * ids, so that however many there are, a part of them is in memory. What isn't in the share costs a hash
 * of the id. Any thread.
 */
public final class AcceptedMail implements AutoCloseable {
    /** Of a message in the file: queue id, length and sum. */
    public static final int MESSAGE_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private final AuditShare share;
    private final @Nullable Path folder;
    private final Limits limits;
    private final List<Piece> pieces = new ArrayList<>();
    /** Rooms of pieces that were written, for the next ones. */
    private final Deque<ByteBuffer> rooms = new ArrayDeque<>();
    /** Its thread begins with the first piece. */
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("accepted mail").factory());

    private final LongAdder unnamed = new LongAdder();
    private @Nullable FileChannel file;
    private @Nullable String failure;
    private int waiting;
    private boolean closed;
    private long count;
    private long notNoted;

    /**
     * Limits of memory. Messages are noted in pieces, since an object each would have the collector stop the
     * driver to copy them.
     *
     * @param messages of a piece
     * @param inMemory pieces that stay there
     * @param waiting pieces that wait to be written at most; with more, messages are not noted
     * @param perRange pieces that are compared at once
     */
    record Limits(int messages, int inMemory, int waiting, int perRange) {
        /** 84 MB that stay, 21 MB (a million messages) that wait, and some 150 MB where they are compared. */
        static final Limits USUAL = new Limits(1 << 14, 1 << 8, 1 << 6, 1 << 7);
    }

    /**
     * Ids from one to another.
     *
     * @param from the lowest
     * @param to the highest
     */
    public record Range(long from, long to) {
        /** {@return whether an id belongs to it} */
        public boolean holds(long id) {
            return from <= id && id <= to;
        }
    }

    /** Ids, lengths and sums one after the other. */
    private static final class Piece {
        /** Null when they are in the file. */
        private @Nullable ByteBuffer messages;

        private long fileOffset;
        private long idMin = Long.MAX_VALUE;
        private long idMax;

        Piece(ByteBuffer messages) {
            this.messages = messages;
        }
    }

    /**
     * Makes an empty one.
     *
     * @param folder for the file; null for that of the system's temporary files
     */
    public AcceptedMail(AuditShare share, @Nullable Path folder) {
        this(share, folder, Limits.USUAL);
    }

    AcceptedMail(AuditShare share, @Nullable Path folder, Limits limits) {
        this.share = share;
        this.folder = folder;
        this.limits = limits;
    }

    /** {@return what may be asked for here} */
    public AuditShare share() {
        return share;
    }

    /**
     * Notes that a message was accepted.
     *
     * @param id the value of its queue id; negative when the answer named none
     */
    void add(long id, WireMessage message, long number, long random) {
        if (id < 0) {
            unnamed.increment();
        } else if (share.takes(id)) {
            add(message.sum(number, random).of(new QueueId(id)));
        }
    }

    /** Notes a message. */
    public synchronized void add(AuditedContent content) {
        ByteBuffer messages = pieces.isEmpty() ? null : pieces.getLast().messages;
        if (messages == null || !messages.hasRemaining()) {
            messages = next();
        }
        if (messages == null) {
            notNoted++;
            return;
        }
        Piece piece = pieces.getLast();
        long id = content.id().value();
        piece.idMin = Math.min(piece.idMin, id);
        piece.idMax = Math.max(piece.idMax, id);
        messages.putLong(id).putLong(content.lengthBytes()).putInt(content.crc());
        count++;
    }

    /** {@return room for a piece; null where full ones can't be written, or not soon enough} */
    private @Nullable ByteBuffer next() {
        if (pieces.size() > limits.inMemory) {
            if (waiting == limits.waiting && failure == null) {
                failure = "the disk is too slow for them";
            }
            if (failure != null || closed) {
                return null;
            }
            Piece full = pieces.getLast();
            waiting++;
            writer.execute(() -> write(full));
        }
        ByteBuffer messages = rooms.isEmpty()
                ? ByteBuffer.allocate(limits.messages * MESSAGE_BYTES)
                : rooms.pop();
        pieces.add(new Piece(messages));
        return messages;
    }

    /** The thread that writes. */
    private void write(Piece full) {
        ByteBuffer messages = Objects.requireNonNull(full.messages);
        try {
            FileChannel to = opened();
            full.fileOffset = to.position();
            ByteBuffer left = messages.duplicate().flip();
            while (left.hasRemaining()) {
                to.write(left);
            }
        } catch (IOException e) {
            failed(FileErrors.reason(e));
            return;
        }
        written(full, messages);
    }

    private synchronized void written(Piece full, ByteBuffer messages) {
        full.messages = null;
        rooms.push(messages.clear());
        waiting--;
    }

    private synchronized void failed(String reason) {
        failure = failure == null ? reason : failure;
    }

    private FileChannel opened() throws IOException {
        FileChannel to = file;
        if (to == null) {
            to = open();
            synchronized (this) {
                file = to;
            }
        }
        return to;
    }

    private FileChannel open() throws IOException {
        Path own = folder == null
                ? Files.createTempFile("accepted", null)
                : Files.createTempFile(folder, "accepted", null);
        FileChannel to = FileChannel.open(own, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(own);
        return to;
    }

    /** {@return how many were noted} */
    public synchronized long count() {
        return count;
    }

    /** {@return how many more belong to the share than were noted, so that nobody can compare them} */
    public synchronized long notNoted() {
        return notNoted;
    }

    /** {@return why they were not noted; null where all were} */
    public synchronized @Nullable String failure() {
        return failure;
    }

    /** {@return ranges that hold every id once; ids grow in the order in which they are handed out} */
    public synchronized List<Range> ranges() {
        List<Long> firsts = pieces.stream().map(piece -> piece.idMin).sorted().toList();
        List<Range> ranges = new ArrayList<>();
        long from = 0;
        for (int i = limits.perRange; i < firsts.size(); i += limits.perRange) {
            if (firsts.get(i) > from) {
                ranges.add(new Range(from, firsts.get(i) - 1));
                from = firsts.get(i);
            }
        }
        ranges.add(new Range(from, Long.MAX_VALUE));
        return ranges;
    }

    /** {@return what was noted of a range so far, in the order of the answers} */
    public synchronized List<AuditedContent> contents(Range range) throws IOException {
        List<AuditedContent> contents = new ArrayList<>();
        for (Piece piece : pieces) {
            if (piece.idMin <= range.to && piece.idMax >= range.from) {
                ByteBuffer messages = read(piece);
                while (messages.hasRemaining()) {
                    long id = messages.getLong();
                    long lengthBytes = messages.getLong();
                    int crc = messages.getInt();
                    if (range.holds(id)) {
                        contents.add(new AuditedContent(new QueueId(id), lengthBytes, crc));
                    }
                }
            }
        }
        return contents;
    }

    private ByteBuffer read(Piece piece) throws IOException {
        ByteBuffer kept = piece.messages;
        if (kept != null) {
            return kept.duplicate().flip();
        }
        FileChannel from = file;
        if (from == null) {
            throw new IOException("the file of the accepted messages is closed");
        }
        ByteBuffer messages = ByteBuffer.allocate(limits.messages * MESSAGE_BYTES);
        while (messages.hasRemaining()) {
            if (from.read(messages, piece.fileOffset + messages.position()) < 0) {
                throw new IOException("the file of the accepted messages is cut off");
            }
        }
        return messages.flip();
    }

    /** {@return how many were accepted without a queue id, so that nobody can look for them} */
    public long unnamed() {
        return unnamed.sum();
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
        }
        writer.close();
        if (file != null) {
            file.close();
        }
    }
}
