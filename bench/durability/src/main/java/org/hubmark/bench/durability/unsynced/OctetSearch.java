package org.hubmark.bench.durability.unsynced;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Finds octets of messages in files, wherever a server has put them and in pieces of whatever length
 * from a line's third on: eight octets in sixteen are looked for at each place, and what is found is
 * followed in both directions. Looked for are the field with the token and the lines of the body, which
 * are in no two messages the same. What is shorter is looked for beside what was found. One thread.
 */
final class OctetSearch {
    private static final int PROBE_BYTES = 8;
    private static final int PROBE_DISTANCE = 16;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** The token is in other fields too, where less than this is the same. */
    private static final int FIELD_BYTES_MIN = 20;

    /** Shorter pieces may have no probe. */
    private static final int GAP_BYTES_MAX = PROBE_DISTANCE + PROBE_BYTES - 1;

    /** What a server may put between two pieces: the header of a page, and that of a record. */
    private static final int BETWEEN_BYTES_MAX = 64;

    private static final byte[] BODY = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final List<byte[]> contents;
    private final long[] probes;
    private final int[] messages;
    private final int[] offsets;
    private final int shift;

    /** Octets of a message at a place of a file. */
    record Piece(int message, int offset, FileHistory.File file, long position, int count) {}

    /** Gets what was found. */
    interface Found {
        /** A piece was found. */
        void piece(Piece piece);
    }

    /** Prepares for messages with CRLF line ends, whose first line is the field with the token. */
    OctetSearch(List<byte[]> contents) {
        this.contents = contents;
        int count = contents.size();
        for (byte[] content : contents) {
            count += content.length / PROBE_DISTANCE + content.length / 64;
        }
        int bits = Math.max(4, 64 - Long.numberOfLeadingZeros(2L * count));
        this.shift = 64 - bits;
        this.probes = new long[1 << bits];
        this.messages = new int[1 << bits];
        this.offsets = new int[1 << bits];
        for (int i = 0; i < contents.size(); i++) {
            add(i, contents.get(i));
        }
    }

    /** {@return which octets of a message have to be found: all but line ends and fields that all have} */
    static BitSet required(byte[] content) {
        BitSet required = new BitSet(content.length);
        required.set(0, lineEnd(content, 0));
        required.set(body(content), content.length);
        for (int i = 0; i < content.length; i++) {
            if (content[i] == '\r' || content[i] == '\n') {
                required.clear(i);
            }
        }
        return required;
    }

    private void add(int message, byte[] content) {
        put(message, lineEnd(content, 0) - PROBE_BYTES, content);
        for (int line = body(content); line < content.length; ) {
            int end = lineEnd(content, line);
            for (int i = line; i + PROBE_BYTES <= end; i += PROBE_DISTANCE) {
                put(message, i, content);
            }
            line = end + 2;
        }
    }

    private void put(int message, int offset, byte[] content) {
        long probe = 0;
        for (int i = 0; i < PROBE_BYTES; i++) {
            probe = (probe << 8) | (content[offset + i] & 0xff);
        }
        int slot = slot(probe);
        while (probes[slot] != 0) {
            slot = (slot + 1) & (probes.length - 1);
        }
        probes[slot] = probe;
        messages[slot] = message;
        offsets[slot] = offset;
    }

    private int slot(long probe) {
        return (int) ((probe * SPREAD) >>> shift);
    }

    private static int lineEnd(byte[] content, int from) {
        int end = from;
        while (end < content.length && content[end] != '\r') {
            end++;
        }
        return end;
    }

    private static int body(byte[] content) {
        for (int i = 0; i + BODY.length <= content.length; i++) {
            if (Arrays.equals(content, i, i + BODY.length, BODY, 0, BODY.length)) {
                return i + BODY.length;
            }
        }
        return content.length;
    }

    /** Looks through octets of a file, and what of them goes on beyond. */
    void look(FileHistory.File file, FileHistory.Range range, Found found) {
        // A piece that ended here before may go on now.
        long from = Math.max(0, range.from() - PROBE_DISTANCE - PROBE_BYTES);
        int count = (int) (range.to() - from) + PROBE_BYTES - 1;
        byte[] octets = file.content.read(from, count);
        long probe = 0;
        for (int i = 0; i < octets.length; i++) {
            probe = (probe << 8) | (octets[i] & 0xff);
            if (i < PROBE_BYTES - 1 || probe == 0) {
                continue;
            }
            int end = i;
            for (int slot = slot(probe);
                    probes[slot] != 0;
                    slot = (slot + 1) & (probes.length - 1)) {
                if (probes[slot] == probe) {
                    Piece piece =
                            follow(file, from + i - PROBE_BYTES + 1, messages[slot], offsets[slot]);
                    boolean isOfField = piece.offset < lineEnd(contents.get(piece.message), 0);
                    if (!isOfField || piece.count >= FIELD_BYTES_MIN) {
                        found.piece(piece);
                        end = (int) Math.max(end, piece.position + piece.count - 1 - from);
                    }
                }
            }
            // What a piece has was followed to its end; the next one may begin with the next octet.
            if (end > i) {
                i = Math.min(end, octets.length - 1);
                probe = 0;
                for (int back = Math.max(0, i - PROBE_BYTES + 1); back <= i; back++) {
                    probe = (probe << 8) | (octets[back] & 0xff);
                }
            }
        }
    }

    /**
     * Looks for the few octets of a message that are missing between two pieces, where a line was cut near
     * one of its ends: behind the piece before them, and in front of the one after them.
     *
     * @param missing octets of the message
     */
    void fill(BitSet missing, List<Piece> pieces, Found found) {
        for (int from = missing.nextSetBit(0); from >= 0; ) {
            int to = missing.nextClearBit(from);
            if (to - from <= GAP_BYTES_MAX) {
                for (Piece piece : pieces) {
                    fill(piece, from, to, found);
                }
            }
            from = missing.nextSetBit(to);
        }
    }

    private void fill(Piece near, int from, int to, Found found) {
        byte[] content = contents.get(near.message);
        int count = to - from;
        long start;
        if (isNear(near.offset + near.count, from)) {
            start = near.position + near.count;
        } else if (isNear(to, near.offset)) {
            start = Math.max(0, near.position - BETWEEN_BYTES_MAX - count);
        } else {
            return;
        }
        byte[] octets = near.file.content.read(start, BETWEEN_BYTES_MAX + count);
        for (int i = 0; i + count <= octets.length; i++) {
            if (Arrays.equals(octets, i, i + count, content, from, to)) {
                found.piece(new Piece(near.message, from, near.file, start + i, count));
                return;
            }
        }
    }

    /** A line end may be between. */
    private static boolean isNear(int end, int start) {
        return end <= start && start - end <= 2;
    }

    private Piece follow(FileHistory.File file, long position, int message, int offset) {
        byte[] content = contents.get(message);
        long size = file.content.bytes();
        int first = offset;
        while (first > 0
                && position - (offset - first) > 0
                && file.content.at(position - (offset - first) - 1) == content[first - 1]) {
            first--;
        }
        int last = offset + PROBE_BYTES;
        while (last < content.length
                && position + (last - offset) < size
                && file.content.at(position + (last - offset)) == content[last]) {
            last++;
        }
        return new Piece(message, first, file, position - (offset - first), last - first);
    }
}
