package org.hubmark.smtp;

import io.netty.util.NetUtil;

/** The insides of the brackets of an address literal, RFC 5321 4.1.3. */
final class AddressLiteral {
    private static final int IPV6_GROUPS = 8;

    private AddressLiteral() {}

    /** {@return whether a text is four numbers from 0 to 255 with dots between} */
    static boolean isIpv4(String text) {
        return NetUtil.isValidIpV4Address(text);
    }

    /**
     * {@return whether a text is an IPv6 address} Groups of one to four hexadecimal digits, once
     * shortened by {@code ::} if at all, the last two perhaps as an IPv4 address.
     */
    static boolean isIpv6(String text) {
        int shortened = text.indexOf("::");
        if (shortened < 0) {
            return groups(text, true) == IPV6_GROUPS;
        }
        String front = text.substring(0, shortened);
        String back = text.substring(shortened + 2);
        int frontGroups = front.isEmpty() ? 0 : groups(front, false);
        int backGroups = back.isEmpty() ? 0 : groups(back, true);
        // "::" stands for at least two groups (RFC 5321 4.1.3), so six others at most.
        return frontGroups >= 0 && backGroups >= 0 && frontGroups + backGroups <= IPV6_GROUPS - 2;
    }

    /**
     * {@return whether a text is a tag, a colon at an index, and content} The content has none of the
     * characters that begin or end something in a path, though RFC 5321 allows angle brackets and quotes:
     * an envelope takes these in a quoted local part only.
     */
    static boolean isGeneral(String text, int colon) {
        if (colon == 0 || colon == text.length() - 1 || text.charAt(colon - 1) == '-') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean allowed = i < colon
                    ? PathParser.isLetterOrDigit(c) || c == '-'
                    : c > ' ' && c <= '~' && "[\\]<>\"".indexOf(c) < 0;
            if (!allowed) {
                return false;
            }
        }
        return true;
    }

    /** {@return how many groups a text holds, an IPv4 address counting two; -1 if malformed} */
    private static int groups(String text, boolean mayEndInIpv4) {
        int count = 0;
        int start = 0;
        while (true) {
            int colon = text.indexOf(':', start);
            String group = text.substring(start, colon < 0 ? text.length() : colon);
            if (colon < 0 && mayEndInIpv4 && isIpv4(group)) {
                return count + 2;
            }
            if (group.isEmpty() || group.length() > 4 || !isHexadecimal(group)) {
                return -1;
            }
            count++;
            if (colon < 0) {
                return count;
            }
            start = colon + 1;
        }
    }

    private static boolean isHexadecimal(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 'f' || Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }
}
