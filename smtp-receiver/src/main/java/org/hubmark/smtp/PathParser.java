package org.hubmark.smtp;

import org.jspecify.annotations.Nullable;

/**
 * Reads a path by the grammar of RFC 5321 4.1.2 with the limits of 4.5.3.1: local part 64 octets,
 * domain 255, path 256 with its brackets. Source routes are checked and left out (3.3, appendix C).
 * Letters beyond ASCII are no letters here: SMTPUTF8 is not offered.
 */
final class PathParser {
    private static final int LOCAL_PART_OCTETS_MAX = 64;
    private static final int DOMAIN_OCTETS_MAX = 255;
    private static final int PATH_OCTETS_MAX = 256;
    private static final String ATEXT_SPECIALS = "!#$%&'*+-/=?^_`{|}~";

    private final String text;
    private int at;

    private PathParser(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /**
     * A path that was read.
     *
     * @param mailbox without brackets and source route; empty for the null path
     * @param end the index after its closing bracket
     */
    record Path(String mailbox, int end) {}

    /** {@return the path at an index, or null if there is none} The null path is one. */
    static @Nullable Path reverse(String text, int start) {
        if (text.startsWith("<>", start)) {
            return new Path("", start + 2);
        }
        return new PathParser(text, start).path();
    }

    /** {@return the path at an index, or null if there is none} {@code <Postmaster>} is one. */
    static @Nullable Path forward(String text, int start) {
        String postmaster = "<postmaster>";
        if (text.regionMatches(true, start, postmaster, 0, postmaster.length())) {
            int end = start + postmaster.length();
            return new Path(text.substring(start + 1, end - 1), end);
        }
        return new PathParser(text, start).path();
    }

    /** {@return whether a text is what EHLO may carry: a domain or an address literal} */
    static boolean isGreetingName(String name) {
        PathParser parser = new PathParser(name, 0);
        // Hosts with an underscore in their name exist and greet with it; it does no harm there.
        boolean matched = parser.peek('[') ? parser.addressLiteral() : parser.domain(true);
        return matched && parser.at == name.length() && name.length() <= DOMAIN_OCTETS_MAX;
    }

    private @Nullable Path path() {
        int start = at;
        if (!skip('<') || (peek('@') && !sourceRoute())) {
            return null;
        }
        int mailboxStart = at;
        if (!localPart() || at - mailboxStart > LOCAL_PART_OCTETS_MAX || !skip('@')) {
            return null;
        }
        int domainStart = at;
        boolean matched = peek('[') ? addressLiteral() : domain(false);
        int mailboxEnd = at;
        if (!matched
                || mailboxEnd - domainStart > DOMAIN_OCTETS_MAX
                || !skip('>')
                || at - start > PATH_OCTETS_MAX) {
            return null;
        }
        return new Path(text.substring(mailboxStart, mailboxEnd), at);
    }

    private boolean sourceRoute() {
        do {
            if (!skip('@') || !domain(false)) {
                return false;
            }
        } while (skip(','));
        return skip(':');
    }

    private boolean localPart() {
        return peek('"') ? quotedString() : dotString();
    }

    private boolean dotString() {
        do {
            int start = at;
            while (at < text.length() && isAtext(text.charAt(at))) {
                at++;
            }
            if (at == start) {
                return false;
            }
        } while (skip('.'));
        return true;
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

    private boolean domain(boolean underscores) {
        do {
            int start = at;
            while (at < text.length() && isLetterDigitHyphen(text.charAt(at), underscores)) {
                at++;
            }
            if (at == start || text.charAt(start) == '-' || text.charAt(at - 1) == '-') {
                return false;
            }
        } while (skip('.'));
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
        int colon = literal.indexOf(':');
        if (colon < 0) {
            return AddressLiteral.isIpv4(literal);
        }
        if (literal.regionMatches(true, 0, "IPv6:", 0, 5)) {
            return AddressLiteral.isIpv6(literal.substring(5));
        }
        return AddressLiteral.isGeneral(literal, colon);
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

    private static boolean isAtext(char c) {
        return isLetterOrDigit(c) || ATEXT_SPECIALS.indexOf(c) >= 0;
    }

    private static boolean isLetterDigitHyphen(char c, boolean underscores) {
        return isLetterOrDigit(c) || c == '-' || (underscores && c == '_');
    }

    static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
