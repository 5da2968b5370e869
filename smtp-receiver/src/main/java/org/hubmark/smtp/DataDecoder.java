package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.Content;
import org.jspecify.annotations.Nullable;

/**
 * Takes text content off the wire. What follows DATA ends where it says so, and its transparency
 * dots are undone (RFC 5321 4.5.2); chunks of BDAT (RFC 3030) are counted, and dots mean nothing
 * there. Both are copied in runs as long as possible.
 *
 * <p>Only CRLF ends a line and only CRLF.CRLF ends the content of DATA. Where a bare CR, a bare LF
 * or a NUL is met the content has a {@link Fault} and is read to its real end without being kept: a
 * server that sees another end in such octets than we do, here or further on, can't make two
 * messages of one. Of several faults the first counts, however the octets are cut into reads.
 *
 * <p>Used by one event loop. The content is borrowed from {@link #begin} to the end.
 */
public final class DataDecoder {
    /** Why content can't be taken. */
    public enum Fault {
        /** A CR without its LF, or an LF without its CR. */
        BARE_LINE_END,
        /** An octet 0, which 7BIT and 8BITMIME content must not hold (RFC 2045 2.7 and 2.8). */
        NUL,
        /** A line longer than the limit. */
        LINE_TOO_LONG,
        /** More octets than a message may have. */
        TOO_LARGE,
        /** No room in the budget of bytes in flight. */
        NO_MEMORY
    }

    /** Chosen once, for all decoders. */
    static final TextScan BEST_SCAN = TextScan.best();

    private enum State {
        TEXT,
        AFTER_CR,
        LINE_START,
        AFTER_DOT,
        AFTER_DOT_CR,
        ENDED
    }

    private static final byte CR = '\r';
    private static final byte LF = '\n';

    private final byte[] scratch;
    private final TextScan textScan;
    private final int lineOctetsMax;
    private boolean chunked;
    private State state = State.ENDED;
    private @Nullable Fault fault;
    private @Nullable Content content;
    private long contentBytesMax;
    private int openLineOctets;
    private boolean eightBit;

    /**
     * Makes a decoder.
     *
     * @param scratch where octets are looked at; may be shared by all decoders of an event loop
     * @param lineOctetsMax the longest line, in octets as they come over the wire, CRLF included
     */
    public DataDecoder(byte[] scratch, int lineOctetsMax) {
        this(scratch, lineOctetsMax, BEST_SCAN);
    }

    /**
     * Makes one that looks at text in a form of one's choice.
     *
     * @param textScan to skip text by, in place of the form that is best here
     */
    public DataDecoder(byte[] scratch, int lineOctetsMax, TextScan textScan) {
        this.scratch = scratch;
        this.textScan = textScan;
        this.lineOctetsMax = lineOctetsMax;
    }

    /**
     * Starts with the first octet after the CRLF of DATA.
     *
     * @param target where the octets go; null to read to the end and keep nothing
     * @param targetBytesMax how large the target may become
     */
    public void begin(@Nullable Content target, long targetBytesMax) {
        begin(target, targetBytesMax, false);
    }

    /**
     * Starts with the first octet of the first chunk.
     *
     * @param target where the octets go; null to read to the end and keep nothing
     * @param targetBytesMax how large the target may become
     */
    public void beginChunks(@Nullable Content target, long targetBytesMax) {
        begin(target, targetBytesMax, true);
    }

    private void begin(@Nullable Content target, long targetBytesMax, boolean inChunks) {
        chunked = inChunks;
        content = target;
        contentBytesMax = targetBytesMax;
        state = State.LINE_START;
        fault = null;
        openLineOctets = 0;
        eightBit = false;
    }

    /** Lets the target become larger by octets that are put into it and don't come from the peer. */
    void allow(int octets) {
        contentBytesMax += octets;
    }

    /** Lets go of the target: what follows is read to its end and not kept. */
    public void keepNothing() {
        content = null;
    }

    /** {@return whether the content so far has an octet above 127} */
    public boolean isEightBit() {
        return eightBit;
    }

    /** {@return what is wrong with the content so far, or null} */
    public @Nullable Fault fault() {
        return fault;
    }

    /**
     * Ends chunks. Text is lines (RFC 5321 2.3.7), so a last line that has no end gets it: the
     * message is the same whether it goes out by DATA or by BDAT. Half a line end is a fault.
     */
    public void endChunks() {
        if (state == State.AFTER_CR) {
            fail(Fault.BARE_LINE_END);
        } else if (state == State.TEXT && content != null && fault == null) {
            scratch[0] = CR;
            scratch[1] = LF;
            keep(0, 2);
        }
        state = State.ENDED;
    }

    /**
     * Takes octets from {@code in} up to the end of the content of DATA, and none of what follows it;
     * of chunks, all that it is told to take.
     *
     * @param octetsMax at most so many
     * @return true when the end was met
     */
    public boolean decode(ByteBuf in, int octetsMax) {
        int left = Math.min(octetsMax, in.readableBytes());
        while (left > 0 && state != State.ENDED) {
            int filled = Math.min(left, scratch.length);
            in.getBytes(in.readerIndex(), scratch, 0, filled);
            int used = scan(filled);
            measureLines(used);
            in.skipBytes(used);
            left -= used;
        }
        return state == State.ENDED;
    }

    private int scan(int end) {
        int runStart = 0;
        int at = 0;
        while (at < end) {
            switch (state) {
                case TEXT -> at = scanText(runStart, at, end);
                case AFTER_CR -> {
                    if (scratch[at] == LF) {
                        at++;
                        state = State.LINE_START;
                    } else {
                        failAt(Fault.BARE_LINE_END, runStart, at);
                        state = State.TEXT;
                    }
                }
                case LINE_START -> {
                    if (scratch[at] == '.' && !chunked) {
                        keep(runStart, at);
                        runStart = ++at;
                        state = State.AFTER_DOT;
                    } else {
                        state = State.TEXT;
                    }
                }
                case AFTER_DOT -> {
                    if (scratch[at] == CR) {
                        // Held back: most probably it belongs to the end and not to the content.
                        runStart = ++at;
                        state = State.AFTER_DOT_CR;
                    } else {
                        state = State.TEXT;
                    }
                }
                case AFTER_DOT_CR -> {
                    if (scratch[at] == LF) {
                        state = State.ENDED;
                        return at + 1;
                    }
                    failAt(Fault.BARE_LINE_END, runStart, at);
                    state = State.TEXT;
                }
                case ENDED -> throw new IllegalStateException("content after its end");
            }
        }
        keep(runStart, end);
        return end;
    }

    /** {@return the index of the first octet that is not plain text, with the state it calls for} */
    private int scanText(int runStart, int start, int end) {
        int at = textScan.plainLines(scratch, start, end, eightBit);
        for (;
                (at = nextControl(scratch, at, end, eightBit)) < end;
                at = textScan.plainLines(scratch, at, end, eightBit)) {
            byte octet = scratch[at++];
            if (octet == CR) {
                if (at == end || scratch[at] != LF) {
                    state = State.AFTER_CR;
                    return at;
                }
                at++;
                if (at == end || (scratch[at] == '.' && !chunked)) {
                    state = State.LINE_START;
                    return at;
                }
            } else if (octet == LF) {
                failAt(Fault.BARE_LINE_END, runStart, at - 1);
            } else if (octet == 0) {
                failAt(Fault.NUL, runStart, at - 1);
            } else if (octet < 0) {
                // The first one: from here on they are plain.
                eightBit = true;
            }
        }
        return at;
    }

    /**
     * {@return the index of the first octet below 14 or, unless they are passed over, above 127; {@code
     * end} if there is none} CR, LF and NUL are among them and little else that mail holds, so one test a
     * word finds all.
     */
    static int nextControl(byte[] octets, int start, int end, boolean eightBit) {
        int at = start;
        for (; at + 8 <= end; at += 8) {
            long marks = WordScan.marks(octets, at, eightBit ? 0 : WordScan.HIGH_BITS);
            if (marks != 0) {
                return at + (Long.numberOfTrailingZeros(marks) >> 3);
            }
        }
        while (at < end && (octets[at] > CR || (eightBit && octets[at] < 0))) {
            at++;
        }
        return at;
    }

    /**
     * Looks for lines beyond the limit by the last LF in a window of that length, so that with a
     * limit of many lines only a few octets of each window are looked at.
     */
    private void measureLines(int end) {
        if (fault != null) {
            return;
        }
        int lineStart = -openLineOctets;
        while (end - lineStart > lineOctetsMax) {
            int next = afterLastLineEnd(Math.max(lineStart, 0), lineStart + lineOctetsMax);
            if (next < 0) {
                fail(Fault.LINE_TOO_LONG);
                return;
            }
            lineStart = next;
        }
        int next = afterLastLineEnd(Math.max(lineStart, 0), end);
        openLineOctets = end - (next < 0 ? lineStart : next);
    }

    private int afterLastLineEnd(int start, int end) {
        for (int at = end - 1; at >= start; at--) {
            if (scratch[at] == LF) {
                return at + 1;
            }
        }
        return -1;
    }

    private void keep(int start, int end) {
        if (start == end || content == null || fault != null) {
            return;
        }
        long room = contentBytesMax - content.sizeBytes();
        if (end - start > room) {
            measureLines(start + (int) room);
            fail(Fault.TOO_LARGE);
        } else if (!content.append(scratch, start, end - start)) {
            fail(Fault.NO_MEMORY);
        }
    }

    /** The octets before it may have a fault of their own, and the first one counts. */
    private void failAt(Fault found, int runStart, int at) {
        keep(runStart, at);
        measureLines(at);
        fail(found);
    }

    private void fail(Fault found) {
        if (fault == null) {
            fault = found;
        }
    }
}
