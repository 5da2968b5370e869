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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The messages of a share that a server has accepted, each by the queue id that its 250 named, with
 * the sum of what was sent. The first millions stay in memory, what comes after goes into a file
 * without a name, which ends with the process or with {@link #close}. They are read by {@link #ranges} of
 * ids, so that however many there are, a part of them is in memory. What isn't in the share costs a hash
 * of the id. Any thread.
 */
public final class AcceptedMail implements AutoCloseable {
    /** Of a message in the file: queue id, length and sum. */
    public static final int MESSAGE_BYTES = 2 * Long.BYTES + Integer.BYTES;

    /** Noted in one piece of memory: an object each would have the collector stop the driver to copy them. */
    private static final int PIECE_MESSAGES = 1 << 14;

    /** 84 MB. */
    private static final int PIECES_IN_MEMORY = 1 << 8;

    /** Two million messages, some 150 MB where they are compared. */
    private static final int PIECES_PER_RANGE = 1 << 7;

    private final AuditShare share;
    private final @Nullable Path folder;
    private final int pieceMessages;
    private final int piecesInMemory;
    private final int piecesPerRange;
    private final List<Piece> pieces = new ArrayList<>();
    private final LongAdder unnamed = new LongAdder();
    private @Nullable FileChannel file;
    private @Nullable String failure;
    private long count;
    private long notNoted;

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
        this(share, folder, PIECE_MESSAGES, PIECES_IN_MEMORY, PIECES_PER_RANGE);
    }

    AcceptedMail(
            AuditShare share,
            @Nullable Path folder,
            int pieceMessages,
            int piecesInMemory,
            int piecesPerRange) {
        this.share = share;
        this.folder = folder;
        this.pieceMessages = pieceMessages;
        this.piecesInMemory = piecesInMemory;
        this.piecesPerRange = piecesPerRange;
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

    /** {@return room for a piece; null where the full one can't be written} */
    private @Nullable ByteBuffer next() {
        ByteBuffer room = null;
        if (pieces.size() > piecesInMemory) {
            Piece full = pieces.getLast();
            room = full.messages;
            if (room == null || !write(full, room)) {
                return null;
            }
            full.messages = null;
            room.clear();
        }
        ByteBuffer messages =
                room == null ? ByteBuffer.allocate(pieceMessages * MESSAGE_BYTES) : room;
        pieces.add(new Piece(messages));
        return messages;
    }

    private boolean write(Piece full, ByteBuffer messages) {
        if (failure != null) {
            return false;
        }
        try {
            FileChannel to = file == null ? open() : file;
            file = to;
            full.fileOffset = to.position();
            messages.flip();
            while (messages.hasRemaining()) {
                to.write(messages);
            }
            return true;
        } catch (IOException e) {
            failure = FileErrors.reason(e);
            messages.position(messages.capacity());
            return false;
        }
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
        for (int i = piecesPerRange; i < firsts.size(); i += piecesPerRange) {
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
        ByteBuffer messages = ByteBuffer.allocate(pieceMessages * MESSAGE_BYTES);
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
    public synchronized void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
