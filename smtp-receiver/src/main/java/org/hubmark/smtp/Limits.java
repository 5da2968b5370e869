package org.hubmark.smtp;

import org.hubmark.core.Envelope;
import org.hubmark.core.OwnName;
import org.hubmark.core.Settings;

/**
 * Limits of a receiver, with the values of RFC 5321 4.5.3 where it has them.
 *
 * @param recipientsMax of a message
 * @param messageBytesMax octets of a message
 * @param connectionsMax at once
 * @param contentBytesMax memory of content, over all connections
 * @param envelopeBytesMax memory of envelopes, likewise
 * @param eventLoops threads that serve connections
 */
record Limits(
        String hostName,
        int recipientsMax,
        long messageBytesMax,
        int connectionsMax,
        long contentBytesMax,
        long envelopeBytesMax,
        TimeLimits times,
        AddressLimits addresses,
        int eventLoops) {
    /**
     * Octets of a command line with its CRLF: 512 (RFC 5321 4.5.3.1.4), 26 for SIZE (RFC 1870), 17 for BODY
     * (RFC 6152).
     */
    static final int COMMAND_OCTETS_MAX = 555;

    /** How much of a longer line is read to find its end. */
    static final int COMMAND_OCTETS_SKIPPED_MAX = 64 << 10;

    /**
     * Octets of a line of content with its CRLF, as sent. RFC 5321 4.5.3.1.6 has 1000 as what must at least
     * be taken, and asks to be ready for more; real mail has lines of several thousand octets (unfolded
     * header fields, HTML from generators), and a refusal helps nobody, since lines are not stored as
     * lines here. This keeps a peer from sending everything as one line.
     */
    static final int TEXT_OCTETS_MAX = 64 << 10;

    /** Received fields in a header; more indicate a loop (RFC 5321 6.3). */
    static final int RECEIVED_FIELDS_MAX = 100;

    /** Commands answered with 5xx on a connection since its last message, RCPT apart. */
    static final int ERRORS_MAX = 20;

    /** Commands on a connection since its last message that do not lead to a message. */
    static final int COMMANDS_WITHOUT_MAIL_MAX = 1000;

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    /** Checks what could not be served. */
    Limits {
        if (!PathParser.isDomain(hostName)) {
            throw new IllegalArgumentException(
                    "setting smtp.host-name: '" + hostName + "' is not a domain (mx.example.org)");
        }
        requirePositive("smtp.message-size-max", messageBytesMax);
        requirePositive("smtp.bytes-in-flight-max", contentBytesMax);
        requirePositive("smtp.envelope-bytes-max", envelopeBytesMax);
    }

    static Limits read(Settings settings) {
        String hostName = OwnName.read(settings);
        return new Limits(
                hostName.isEmpty() ? OwnName.literalOfMachine() : hostName,
                settings.count(
                        "smtp.recipients-max",
                        1000,
                        100,
                        Envelope.FORWARD_PATHS_TAKEN_MAX,
                        "Recipients of a message, at least 100 (RFC 5321 4.5.3.1.8), at most 8000,"
                                + " which fit a record of the queue; beyond it 452 4.5.3."),
                messageBytesMax(settings),
                settings.count(
                        "smtp.connections-max",
                        1000,
                        1,
                        1_000_000,
                        "Connections at once; further ones get 421 4.7.0."),
                settings.bytes(
                        "smtp.bytes-in-flight-max",
                        128 << 20,
                        "Memory of content that is being received or committed, over all"
                                + " connections; when it is used up DATA and BDAT get 452 4.3.1."
                                + " Direct memory: half of what a heap of 256 MiB allows."),
                settings.bytes(
                        "smtp.envelope-bytes-max",
                        32 << 20,
                        "Memory of envelopes from MAIL until their message is committed, over all"
                                + " connections; when it is used up MAIL and RCPT get 452 4.3.1."
                                + " Heap."),
                TimeLimits.read(settings),
                AddressLimits.read(settings),
                Math.max(2, CORES / 2));
    }

    static long messageBytesMax(Settings settings) {
        return settings.bytes(
                "smtp.message-size-max",
                150_000_000,
                "Octets of a message, announced as SIZE (RFC 1870); beyond it 552 5.3.4. Twice as"
                        + " many octets of refused content are read to find its end.");
    }

    static void requirePositive(String key, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("setting " + key + ": must be more than zero");
        }
    }
}
