package org.hubmark.smtp;

import org.hubmark.core.BodyType;
import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** The arguments of MAIL and RCPT (RFC 5321 4.1.1.2 and 4.1.1.3), read. */
public sealed interface PathCommand {
    /** What a SIZE parameter that was not given counts as. */
    long SIZE_UNKNOWN = -1;

    /**
     * MAIL.
     *
     * @param reversePath without brackets; empty for the null path
     * @param sizeBytes what SIZE declared (RFC 1870), or {@link #SIZE_UNKNOWN}
     * @param bodyType what BODY declared (RFC 6152, RFC 3030)
     */
    record Mail(String reversePath, long sizeBytes, BodyType bodyType) implements PathCommand {}

    /**
     * RCPT.
     *
     * @param forwardPath without brackets and source route
     */
    record Recipient(String forwardPath) implements PathCommand {}

    /**
     * Neither.
     *
     * @param reply says what is wrong
     */
    record Malformed(Reply reply) implements PathCommand {}

    /** {@return what follows MAIL and its space, read} */
    static PathCommand mail(String argument) {
        int start = afterWord(argument, "FROM:");
        if (start < 0) {
            return new Malformed(Reply.MAIL_SYNTAX);
        }
        PathParser parser = new PathParser(argument, start);
        PathParser.Path path = parser.reverse();
        if (path == null) {
            return new Malformed(Reply.notReversePath(parser.fault()));
        }
        long sizeBytes = SIZE_UNKNOWN;
        BodyType bodyType = null;
        int at = path.end();
        while (at < argument.length()) {
            if (!PathParser.isSpace(argument.charAt(at))) {
                return new Malformed(Reply.notReversePath("a space has to follow the path"));
            }
            at = skipSpace(argument, at);
            int end = skipWord(argument, at);
            if (argument.regionMatches(true, at, "SIZE=", 0, 5)) {
                if (sizeBytes != SIZE_UNKNOWN) {
                    return new Malformed(Reply.SIZE_SYNTAX);
                }
                sizeBytes = number(argument, at + 5, end);
                if (sizeBytes < 0) {
                    return new Malformed(Reply.SIZE_SYNTAX);
                }
            } else if (argument.regionMatches(true, at, "BODY=", 0, 5)) {
                BodyType given = bodyType(argument.substring(at + 5, end));
                if (given == null || bodyType != null) {
                    return new Malformed(Reply.BODY_SYNTAX);
                }
                bodyType = given;
            } else if (end > at) {
                return new Malformed(Reply.MAIL_PARAMETER);
            }
            at = end;
        }
        return new Mail(
                path.mailbox(), sizeBytes, bodyType == null ? BodyType.SEVEN_BIT : bodyType);
    }

    /** {@return what follows RCPT and its space, read} None of our extensions has a parameter. */
    static PathCommand recipient(String argument) {
        int start = afterWord(argument, "TO:");
        if (start < 0) {
            return new Malformed(Reply.RCPT_SYNTAX);
        }
        PathParser parser = new PathParser(argument, start);
        PathParser.Path path = parser.forward();
        if (path == null) {
            return new Malformed(Reply.notForwardPath(parser.fault()));
        }
        if (path.end() < argument.length()) {
            return new Malformed(
                    PathParser.isSpace(argument.charAt(path.end()))
                            ? Reply.RCPT_PARAMETER
                            : Reply.notForwardPath("nothing may follow the path"));
        }
        return new Recipient(path.mailbox());
    }

    /**
     * {@return the index behind a word that an argument begins with, or -1} Space around it is passed over,
     * though RFC 5321 3.3 forbids clients to send it: there are some that do.
     */
    private static int afterWord(String argument, String word) {
        int start = skipSpace(argument, 0);
        return argument.regionMatches(true, start, word, 0, word.length())
                ? skipSpace(argument, start + word.length())
                : -1;
    }

    /** {@return the index of the first octet that is no white space} */
    static int skipSpace(String text, int start) {
        int at = start;
        while (at < text.length() && PathParser.isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** {@return the index of the first octet that is white space} */
    static int skipWord(String text, int start) {
        int at = start;
        while (at < text.length() && !PathParser.isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /**
     * {@return the decimal number in a part of a text, or -1} Up to 18 digits, which is beyond any
     * message and fits a long; RFC 1870 asks for 20 to be read, and such a size is as good as none
     * that we could take, so the largest long stands for it.
     */
    static long number(String text, int start, int end) {
        if (start >= end || end - start > 20) {
            return -1;
        }
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE : value * 10 + digit;
        }
        return value;
    }

    private static @Nullable BodyType bodyType(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "7BIT" -> BodyType.SEVEN_BIT;
            case "8BITMIME" -> BodyType.EIGHT_BIT_MIME;
            case "BINARYMIME" -> BodyType.BINARY_MIME;
            default -> null;
        };
    }
}
