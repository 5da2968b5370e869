package org.hubmark.smtp.client;

import java.util.regex.Pattern;

/**
 * A reply of an SMTP server (RFC 5321 4.2).
 *
 * @param code three digits, 200 to 599
 * @param text printable US-ASCII; the lines of a longer reply are joined by line ends
 */
public record SmtpReply(int code, String text) {
    /** RFC 5321 3.8: the server ends the connection. */
    static final int CLOSING = 421;

    /** RFC 5321 4.2.3: start mail input. */
    private static final int START_INPUT = 354;

    /** RFC 5321 4.5.3.1.5 has 512 octets for a reply line. */
    private static final int SHOWN_CHARACTERS_MAX = 512;

    private static final Pattern ENHANCED =
            Pattern.compile("[245]\\.[0-9]{1,3}\\.[0-9]{1,3}(?: .*)?", Pattern.DOTALL);

    /** {@return whether the server did as it was told} */
    public boolean isSuccess() {
        return code / 100 == 2;
    }

    /** {@return whether the server waits for content, as it does after DATA} */
    public boolean asksForContent() {
        return code == START_INPUT;
    }

    /** {@return whether the same command would be refused again} */
    public boolean isPermanent() {
        return code / 100 == 5;
    }

    /** {@return whether the text begins with an enhanced status code (RFC 2034)} */
    public boolean hasEnhancedCode() {
        return ENHANCED.matcher(text).matches();
    }

    /** {@return the enhanced status code (RFC 2034) that the text begins with, or an empty string} */
    public String status() {
        return hasEnhancedCode() ? text.split(" ", 2)[0] : "";
    }

    /** {@return whether the server ends the connection (RFC 5321 3.8)} */
    public boolean isClosing() {
        return code == CLOSING;
    }

    /** {@return it in one line; of a long one the beginning, since this is what is noted, logged and passed on} */
    @Override
    public String toString() {
        String shown = text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS_MAX));
        return code + " " + shown.replace('\n', ' ');
    }
}
