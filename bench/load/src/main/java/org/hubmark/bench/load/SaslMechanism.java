package org.hubmark.bench.load;

import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How a client shows who it is (RFC 4954), the better first. */
public enum SaslMechanism {
    /** RFC 4616. */
    PLAIN,
    /** A mechanism without an RFC that many servers have. */
    LOGIN;

    /**
     * {@return the best that a server announces: AUTH PLAIN LOGIN, and some old servers say AUTH=LOGIN; null
     * when it announces neither}
     *
     * @param hello its reply to EHLO
     */
    public static @Nullable SaslMechanism announced(SmtpReply hello) {
        return Stream.of(values())
                .filter(one -> Pattern.compile("(?im)^AUTH[ =](.*[ =])?" + one + "([ =]|$)")
                        .matcher(hello.text())
                        .find())
                .findFirst()
                .orElse(null);
    }
}
