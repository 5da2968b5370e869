package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Takes command lines off the wire: CRLF and nothing else ends one (RFC 5321 2.3.8); one that holds
 * a bare CR, a bare LF or a NUL is malformed as a whole, one that is too long is read to its end, as
 * far as that is not too long either.
 *
 * <p>What can't be a peer that means to speak SMTP is told by how a line begins, before its end: a
 * browser that was made to post a form has its commands in the lines that follow.
 *
 * <p>Used by one event loop.
 */
public final class CommandDecoder {
    /** Result of decoding. */
    public enum Result {
        /** A line: see {@link #verb} and {@link #argument}. */
        COMMAND,
        /** A line that can't be a command. */
        MALFORMED,
        /** A line beyond the limit; it is read to its end. */
        TOO_LONG,
        /** A line that is too long to be read to its end. Nothing may be read after it. */
        ENDLESS,
        /** A line of another protocol, or of a message. Nothing may be read after it. */
        FOREIGN,
        /** Octets that are no text, such as a TLS handshake. Nothing may be read after them. */
        BINARY,
        /** The end of the line has not come yet. */
        INCOMPLETE
    }

    /** Words that a command may begin with. */
    public enum Verb {
        HELO,
        EHLO,
        MAIL,
        RCPT,
        DATA,
        BDAT,
        RSET,
        NOOP,
        VRFY,
        HELP,
        QUIT,
        STARTTLS,
        /** Known to RFC 5321 and not offered. */
        EXPN,
        /** None of the above. */
        UNKNOWN
    }

    private static final int VERB_LENGTH = 4;

    /** Methods of HTTP (RFC 9110 9, RFC 5789, RFC 9113 3.4) and SIP (RFC 3261), as they are written. */
    private static final Set<String> FOREIGN_WORDS =
            Set.of(("GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH PRI PROPFIND INVITE"
                            + " REGISTER")
                    .split(" "));

    private static final String SSH = "SSH-";

    private final byte[] scratch;
    private final int lineOctetsMax;
    private final int skippedOctetsMax;
    private int skippedOctets;
    private boolean skipping;
    private boolean skippedCr;
    private Verb verb = Verb.UNKNOWN;
    private String argument = "";

    /**
     * Makes a decoder.
     *
     * @param scratch where octets are looked at, longer than a line; may be shared by all decoders
     *     of an event loop
     * @param lineOctetsMax the longest line, CRLF included
     * @param skippedOctetsMax how much of a longer line is read to find its end
     */
    public CommandDecoder(byte[] scratch, int lineOctetsMax, int skippedOctetsMax) {
        this.scratch = scratch;
        this.lineOctetsMax = lineOctetsMax;
        this.skippedOctetsMax = skippedOctetsMax;
    }

    /** Takes one line from {@code in}, if it is there to its end. */
    public Result decode(ByteBuf in) {
        if (skipping) {
            return skip(in);
        }
        int filled = Math.min(in.readableBytes(), lineOctetsMax);
        in.getBytes(in.readerIndex(), scratch, 0, filled);
        boolean malformed = false;
        boolean afterCr = false;
        for (int i = 0; i < filled; i++) {
            byte octet = scratch[i];
            if (octet == '\n' && afterCr) {
                in.skipBytes(i + 1);
                if (malformed) {
                    return foreignOr(Result.MALFORMED, filled);
                }
                split(i - 1);
                return verb == Verb.UNKNOWN ? foreignOr(Result.COMMAND, filled) : Result.COMMAND;
            }
            malformed |= afterCr || octet == '\n' || octet == 0;
            afterCr = octet == '\r';
        }
        Result begun = foreignOr(Result.INCOMPLETE, filled);
        if (filled < lineOctetsMax || begun != Result.INCOMPLETE) {
            return begun;
        }
        skipping = true;
        skippedOctets = 0;
        skippedCr = false;
        return skip(in);
    }

    /** {@return what the line begins with} */
    public Verb verb() {
        return verb;
    }

    /** {@return what follows the verb and one space, without white space at its end} */
    public String argument() {
        return argument;
    }

    private Result skip(ByteBuf in) {
        while (in.isReadable()) {
            if (++skippedOctets > skippedOctetsMax) {
                return Result.ENDLESS;
            }
            byte octet = in.readByte();
            if (octet == '\n' && skippedCr) {
                skipping = false;
                return Result.TOO_LONG;
            }
            skippedCr = octet == '\r';
        }
        return Result.INCOMPLETE;
    }

    /**
     * {@return the result, unless the line begins as no command does} A command begins with a letter.
     * White space and line ends before it are a slip, which gets its error and no more.
     *
     * <p>More octets never take such a judgement back, so it does not depend on how reads cut them.
     */
    private Result foreignOr(Result result, int filled) {
        int first = filled == 0 ? ' ' : scratch[0];
        if (isLetter(first)) {
            return beginsForeign(filled) ? Result.FOREIGN : result;
        }
        if (first == ' ' || first == '\t' || first == '\r' || first == '\n') {
            return result;
        }
        return first > ' ' && first <= '~' ? Result.FOREIGN : Result.BINARY;
    }

    /** {@return whether a line is a request of another protocol or a header field (RFC 5322 2.2)} */
    private boolean beginsForeign(int filled) {
        if (filled >= SSH.length() && wordTo(SSH.length()).equals(SSH)) {
            return true;
        }
        int end = 1;
        while (end < filled && (isLetter(scratch[end]) || isDigitOrHyphen(scratch[end]))) {
            end++;
        }
        if (end == filled) {
            return false;
        }
        if (scratch[end] == ':') {
            byte next = end + 1 < filled ? scratch[end + 1] : 0;
            return next == ' ' || next == '\t' || next == '\r';
        }
        return scratch[end] == ' ' && FOREIGN_WORDS.contains(wordTo(end));
    }

    private String wordTo(int end) {
        return new String(scratch, 0, end, StandardCharsets.ISO_8859_1);
    }

    private static boolean isLetter(int octet) {
        return (octet >= 'A' && octet <= 'Z') || (octet >= 'a' && octet <= 'z');
    }

    private static boolean isDigitOrHyphen(int octet) {
        return (octet >= '0' && octet <= '9') || octet == '-';
    }

    private void split(int length) {
        int end = length;
        while (end > 0 && (scratch[end - 1] == ' ' || scratch[end - 1] == '\t')) {
            end--;
        }
        boolean startTls = end >= 2 * VERB_LENGTH
                && word(scratch, 0) == 0x73746172
                && word(scratch, VERB_LENGTH) == 0x74746c73;
        int verbEnd = startTls ? 2 * VERB_LENGTH : VERB_LENGTH;
        boolean wordEnds = end == verbEnd || (end > verbEnd && scratch[verbEnd] == ' ');
        verb = !wordEnds ? Verb.UNKNOWN : startTls ? Verb.STARTTLS : verbOf(scratch);
        argument = end > verbEnd + 1 && verb != Verb.UNKNOWN
                ? new String(scratch, verbEnd + 1, end - verbEnd - 1, StandardCharsets.ISO_8859_1)
                : "";
    }

    /**
     * Reads a word in small letters: with bit 5 set, a letter is its small form, and nothing else
     * becomes a letter.
     */
    private static int word(byte[] line, int at) {
        return (line[at] & 0xff) << 24
                | (line[at + 1] & 0xff) << 16
                | (line[at + 2] & 0xff) << 8
                | (line[at + 3] & 0xff)
                | 0x20202020;
    }

    private static Verb verbOf(byte[] line) {
        return switch (word(line, 0)) {
            case 0x68656c6f -> Verb.HELO;
            case 0x65686c6f -> Verb.EHLO;
            case 0x6d61696c -> Verb.MAIL;
            case 0x72637074 -> Verb.RCPT;
            case 0x64617461 -> Verb.DATA;
            case 0x62646174 -> Verb.BDAT;
            case 0x72736574 -> Verb.RSET;
            case 0x6e6f6f70 -> Verb.NOOP;
            case 0x76726679 -> Verb.VRFY;
            case 0x68656c70 -> Verb.HELP;
            case 0x71756974 -> Verb.QUIT;
            case 0x6578706e -> Verb.EXPN;
            default -> Verb.UNKNOWN;
        };
    }
}
