package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;

import java.nio.charset.StandardCharsets;

/**
 * Takes command lines off the wire: CRLF and nothing else ends one (RFC 5321 2.3.8); one that holds
 * a bare CR, a bare LF or a NUL is malformed as a whole, one that is too long is read to its end.
 *
 * <p>Used by one event loop.
 */
public final class CommandDecoder {
    /** What was found. */
    public enum Result {
        /** A line: see {@link #verb} and {@link #argument}. */
        COMMAND,
        /** A line that can't be a command. */
        MALFORMED,
        /** A line beyond the limit; it is read to its end. */
        TOO_LONG,
        /** The end of the line has not come yet. */
        INCOMPLETE
    }

    /** What a command may begin with. */
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

    private final byte[] scratch;
    private final int lineOctetsMax;
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
     */
    public CommandDecoder(byte[] scratch, int lineOctetsMax) {
        this.scratch = scratch;
        this.lineOctetsMax = lineOctetsMax;
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
                    return Result.MALFORMED;
                }
                split(i - 1);
                return Result.COMMAND;
            }
            malformed |= afterCr || octet == '\n' || octet == 0;
            afterCr = octet == '\r';
        }
        if (filled < lineOctetsMax) {
            return Result.INCOMPLETE;
        }
        skipping = true;
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
            byte octet = in.readByte();
            if (octet == '\n' && skippedCr) {
                skipping = false;
                return Result.TOO_LONG;
            }
            skippedCr = octet == '\r';
        }
        return Result.INCOMPLETE;
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

    /** With bit 5 set, a letter is its small form, and nothing else becomes a letter. */
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
