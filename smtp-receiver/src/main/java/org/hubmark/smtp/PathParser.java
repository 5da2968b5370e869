package org.hubmark.smtp;

import io.netty.util.NetUtil;

import org.hubmark.core.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * Reads a path: the grammar of RFC 5321 4.1.2, and what others let pass that can't be read as something
 * else on the way. So a local part may be as long as the path and may have dots anywhere, labels of a
 * domain may hold underscores and end in hyphens, a domain may end in a dot, which is left out, an IPv6
 * literal may lack its tag, and a mailbox its angle brackets. Source routes are checked and left out
 * (3.3, appendix C). Letters beyond ASCII are no letters here: SMTPUTF8 is not offered.
 *
 * <p>What it takes an {@link Envelope} takes.
 */
final class PathParser {
    private static final int DOMAIN_OCTETS_MAX = 255;
    private static final int PATH_OCTETS_MAX = 256;
    private static final String ATEXT_SPECIALS = "!#$%&'*+-/=?^_`{|}~";

    private final String text;
    private int at;
    private String fault = "";

    /**
     * Makes a parser of one path.
     *
     * @param at where the path begins
     */
    PathParser(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /**
     * A path that was read.
     *
     * @param mailbox without brackets and source route; empty for the null path
     * @param end the index behind it
     */
    record Path(String mailbox, int end) {}

    /** {@return the path, or null if there is none: see {@link #fault}} The null path is one. */
    @Nullable
    Path reverse() {
        return text.startsWith("<>", at) ? new Path("", at + 2) : path();
    }

    /** {@return the path, or null if there is none: see {@link #fault}} {@code <Postmaster>} is one. */
    @Nullable
    Path forward() {
        String postmaster = "<postmaster>";
        if (text.regionMatches(true, at, postmaster, 0, postmaster.length())) {
            int end = at + postmaster.length();
            return new Path(text.substring(at + 1, end - 1), end);
        }
        return text.startsWith("<>", at) ? none("the null path has no mailbox") : path();
    }

    /** {@return which part is wrong and what is allowed there, for a reply} */
    String fault() {
        return fault;
    }

    /** {@return whether a text is a domain or an address literal} For names of our own and in settings. */
    static boolean isDomain(String name) {
        PathParser parser = new PathParser(name, 0);
        boolean matched = parser.peek('[') ? parser.addressLiteral() : parser.domain(false);
        return matched && parser.at == name.length() && name.length() <= DOMAIN_OCTETS_MAX;
    }

    private @Nullable Path path() {
        int start = at;
        boolean bracketed = skip('<');
        if (bracketed && peek('@') && !sourceRoute()) {
            return none("the source route is not @domain,@domain: in front of the mailbox");
        }
        int mailboxStart = at;
        if (!localPart()) {
            return none(
                    "the local part is not letters, digits, dots and !#$%&'*+-/=?^_`{|}~ of ASCII,"
                            + " or any of its printable characters in double quotes");
        }
        if (!skip('@')) {
            return none("an at sign and a domain have to follow the local part");
        }
        int domainStart = at;
        boolean literal = peek('[');
        if (literal && !addressLiteral()) {
            return none("the address literal is not [192.0.2.1] or [IPv6:2001:db8::1]");
        }
        if (!literal && !domain(true)) {
            return none("the domain is not labels of letters, digits, hyphens and underscores of"
                    + " ASCII with dots between");
        }
        int mailboxEnd = at;
        boolean dotted = !literal && skip('.');
        boolean ends = bracketed ? skip('>') : at == text.length() || isSpace(text.charAt(at));
        if (!ends) {
            return none(
                    bracketed
                            ? "an angle bracket has to follow the domain, which is labels of letters,"
                                    + " digits, hyphens and underscores with dots between"
                            : "angle brackets have to enclose it");
        }
        if (mailboxEnd - domainStart > DOMAIN_OCTETS_MAX) {
            return none("the domain is longer than 255 octets");
        }
        if (at - start + (bracketed ? 0 : 2) - (dotted ? 1 : 0) > PATH_OCTETS_MAX) {
            return none("the path is longer than 256 octets with its brackets");
        }
        return new Path(text.substring(mailboxStart, mailboxEnd), at);
    }

    private @Nullable Path none(String why) {
        fault = why;
        return null;
    }

    private boolean sourceRoute() {
        do {
            if (!skip('@') || !domain(true)) {
                return false;
            }
        } while (skip(','));
        return skip(':');
    }

    private boolean localPart() {
        return peek('"') ? quotedString() : dotString();
    }

    /** Dots anywhere: some carriers give out such addresses. */
    private boolean dotString() {
        int start = at;
        while (at < text.length() && (isAtext(text.charAt(at)) || peek('.'))) {
            at++;
        }
        return at > start;
    }

    private boolean quotedString() {
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return true;
            }
            if (c == '\\') {
                c = at < text.length() ? text.charAt(at++) : 0;
            }
            if (c < ' ' || c > '~') {
                return false;
            }
        }
        return false;
    }

    /**
     * Reads labels with dots between; a dot behind the last is left.
     *
     * @param hyphens whether a label may begin and end with one
     */
    private boolean domain(boolean hyphens) {
        int start;
        do {
            start = at;
            while (at < text.length() && isOfLabel(text.charAt(at))) {
                at++;
            }
            if (at == start
                    || (!hyphens && (text.charAt(start) == '-' || text.charAt(at - 1) == '-'))) {
                return false;
            }
        } while (peek('.')
                && at + 1 < text.length()
                && isOfLabel(text.charAt(at + 1))
                && skip('.'));
        return true;
    }

    private boolean addressLiteral() {
        at++;
        int close = text.indexOf(']', at);
        if (close < 0) {
            return false;
        }
        String literal = text.substring(at, close);
        at = close + 1;
        boolean tagged = literal.regionMatches(true, 0, "IPv6:", 0, 5);
        String address = tagged ? literal.substring(5) : literal;
        return (!tagged && NetUtil.isValidIpV4Address(address))
                || (!address.contains("%") && NetUtil.isValidIpV6Address(address));
    }

    private boolean peek(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private boolean skip(char c) {
        if (!peek(c)) {
            return false;
        }
        at++;
        return true;
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isAtext(char c) {
        return isLetterOrDigit(c) || ATEXT_SPECIALS.indexOf(c) >= 0;
    }

    private static boolean isOfLabel(char c) {
        return isLetterOrDigit(c) || c == '-' || c == '_';
    }

    static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
