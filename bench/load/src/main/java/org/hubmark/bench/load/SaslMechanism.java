package org.hubmark.bench.load;

import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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
        Set<String> words = new HashSet<>();
        for (String extension : hello.text().split("\n", -1)) {
            List<String> said = List.of(extension.toUpperCase(Locale.ROOT).split("[ =]+", -1));
            if (said.getFirst().equals("AUTH")) {
                words.addAll(said);
            }
        }
        for (SaslMechanism mechanism : values()) {
            if (words.contains(mechanism.name())) {
                return mechanism;
            }
        }
        return null;
    }
}
