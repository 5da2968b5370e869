package org.hubmark.smtp;

import org.hubmark.core.Settings;

import java.time.Duration;

/**
 * Time limits for a peer. RFC 5321 4.5.3.2 has a server wait at least five minutes for a command,
 * and a client no longer than three for the other side to take a block of data. It has no limit for
 * a whole message; without one, an octet now and then holds a connection for ever.
 *
 * @param command from the answer to one command to the end of the next
 * @param data from one read of content to the next
 */
record TimeLimits(Duration command, Duration data) {
    /** From MAIL to the end of the content: 150 MB take an hour at 42 KB/s. */
    static final Duration TRANSACTION = Duration.ofHours(1);

    /**
     * The least rate of content, averaged, since a peer may fall behind by the time for data: half of a modem
     * of 9600 bit/s.
     */
    static final int CONTENT_OCTETS_PER_SECOND_MIN = 500;

    /** Checks what could not be served. */
    TimeLimits {
        Limits.requirePositive("smtp.timeout.command", command.toNanos());
        Limits.requirePositive("smtp.timeout.data", data.toNanos());
    }

    static TimeLimits read(Settings settings) {
        return new TimeLimits(
                settings.duration(
                        "smtp.timeout.command",
                        Duration.ofMinutes(5),
                        "Time that a peer may take for a command, from the answer to the previous"
                                + " command to its line end (RFC 5321 4.5.3.2.7); then 421 4.4.2."),
                settings.duration(
                        "smtp.timeout.data",
                        Duration.ofMinutes(3),
                        "Time that a peer may be silent within content (RFC 5321 4.5.3.2.5); then"
                                + " 421 4.4.2."));
    }
}
