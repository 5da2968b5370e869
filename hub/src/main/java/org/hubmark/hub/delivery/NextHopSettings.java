package org.hubmark.hub.delivery;

import org.hubmark.core.Settings;

import java.time.Duration;

/**
 * Settings of connections to next hops.
 *
 * @param timeouts how long a next hop may take
 * @param connectionIdle how long a connection is kept without use
 * @param connectionAge how old a connection gets
 * @param connectionMessagesMax how many messages it carries
 * @param pipelineMax how many of them are under way over it at once
 * @param retry how long a next hop that failed is left alone
 * @param tlsTrust PEM file of the authorities that may vouch for a next hop, or empty
 */
public record NextHopSettings(
        Timeouts timeouts,
        Duration connectionIdle,
        Duration connectionAge,
        int connectionMessagesMax,
        int pipelineMax,
        Duration retry,
        String tlsTrust) {

    /**
     * Time limits for the answers of a next hop (RFC 5321 4.5.3.2).
     *
     * @param connect to accept the connection; RFC 5321 has no value
     * @param command for the greeting (4.5.3.2.1), MAIL (.2) and RCPT (.3)
     * @param data for the answer to DATA (.4)
     * @param block to take a block of content (.5)
     * @param end for the answer to the end of content (.6)
     * @param confirm for the answer to a second EHLO, which was answered before
     * @param handshake for a handshake by TLS, and for the answer to the EHLO behind it
     * @param kept for the first answer over a connection that was kept: its peer may have gone silently
     */
    public record Timeouts(
            Duration connect,
            Duration command,
            Duration data,
            Duration block,
            Duration end,
            Duration confirm,
            Duration handshake,
            Duration kept) {
        private static final Timeouts DEFAULTS = new Timeouts(
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofMinutes(3),
                Duration.ofMinutes(10),
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ofSeconds(20));
    }

    /** Reads them; fails with the key of one that is not possible. */
    public static NextHopSettings read(Settings settings) {
        return new NextHopSettings(
                Timeouts.DEFAULTS,
                settings.duration(
                        "delivery.connection-idle-max",
                        Duration.ofSeconds(30),
                        "Time that an idle connection to a next hop is kept; many servers end idle"
                                + " connections after a minute or more."),
                Duration.ofMinutes(10),
                settings.count(
                        "delivery.connection-messages-max",
                        1_000,
                        1,
                        1_000_000,
                        "Messages that go over one connection to a next hop."),
                settings.count(
                        "delivery.pipeline-max",
                        16,
                        1,
                        1_000,
                        "Messages under way at once over one connection to a next hop that has"
                                + " PIPELINING (RFC 2920); 1 to wait for the answer to each"
                                + " message."),
                settings.duration(
                        "delivery.next-hop-retry",
                        Duration.ofSeconds(30),
                        "Time that a next hop that can't be reached is left alone; then one"
                                + " delivery tries it."),
                settings.text(
                        "delivery.tls-trust",
                        "",
                        "PEM file of the authorities that may vouch for a next hop with"
                                + " tls=required; empty for those that Java trusts."));
    }
}
