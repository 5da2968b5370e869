package org.hubmark.smtp;

import org.hubmark.core.Envelope;
import org.hubmark.core.OwnName;
import org.hubmark.core.Settings;

/**
 * Limits of a receiver, with the values of RFC 5321 4.5.3 where it has them.
 *
 * <p>The text line is the exception. RFC 5321 4.5.3.1.6 has 1000 octets as what must at least be
 * taken, and asks to be ready for more; real mail has lines of several thousand octets (unfolded
 * header fields, HTML from generators), and a refusal helps nobody, since lines are not stored as
 * lines here. So the default is 64 KiB, which keeps a peer from sending everything as one line.
 */
record Limits(
        String hostName,
        LineLimits lines,
        MessageLimits messages,
        SessionLimits sessions,
        MemoryLimits memory,
        TimeLimits times,
        AddressLimits addresses,
        int eventLoops) {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    /** Checks what could not be served. */
    Limits {
        if (!PathParser.isDomain(hostName)) {
            throw new IllegalArgumentException(
                    "setting smtp.host-name: '" + hostName + "' is not a domain (mx.example.org)");
        }
    }

    /** Octets of lines. */
    record LineLimits(int commandOctetsMax, int commandOctetsSkippedMax, int textOctetsMax) {
        private static LineLimits read(Settings settings) {
            return new LineLimits(
                    settings.count(
                            "smtp.command-line-max",
                            555,
                            512,
                            8192,
                            "Octets of a command line with its CRLF: 512 (RFC 5321 4.5.3.1.4), 26 for"
                                    + " SIZE (RFC 1870), 17 for BODY (RFC 6152); beyond it 500 5.5.2."),
                    settings.count(
                            "smtp.command-line-skip-max",
                            64 << 10,
                            1 << 10,
                            1 << 30,
                            "Octets that are read to find the end of a command line that is too"
                                    + " long; beyond it 500 5.5.2, and the connection ends."),
                    settings.count(
                            "smtp.text-line-max",
                            64 << 10,
                            1000,
                            Integer.MAX_VALUE / 2,
                            "Octets of a line of content with its CRLF, as sent; RFC 5321 4.5.3.1.6"
                                    + " asks for 1000 or more, and real mail has longer lines;"
                                    + " beyond it 554 5.6.0."));
        }
    }

    /** Limits of a message. */
    record MessageLimits(int recipientsMax, long bytesMax, int receivedFieldsMax) {
        /** Checks the size. */
        MessageLimits {
            requirePositive("smtp.message-size-max", bytesMax);
        }

        private static MessageLimits read(Settings settings) {
            return new MessageLimits(
                    settings.count(
                            "smtp.recipients-max",
                            1000,
                            100,
                            Envelope.FORWARD_PATHS_TAKEN_MAX,
                            "Recipients of a message, at least 100 (RFC 5321 4.5.3.1.8), at most 8000,"
                                    + " which fit a record of the queue; beyond it 452 4.5.3."),
                    messageBytesMax(settings),
                    settings.count(
                            "smtp.received-fields-max",
                            100,
                            100,
                            100_000,
                            "Received fields in a header; more indicate a loop (RFC 5321 6.3) and"
                                    + " get 554 5.4.6."));
        }
    }

    /** Limits of a connection, and the number of connections. */
    record SessionLimits(int errorsMax, int commandsWithoutMailMax, int connectionsMax) {
        private static SessionLimits read(Settings settings) {
            return new SessionLimits(
                    settings.count(
                            "smtp.errors-max",
                            20,
                            1,
                            1_000_000,
                            "Commands answered with 5xx on a connection since its last message, RCPT apart;"
                                    + " the next one gets 421 4.7.0."),
                    settings.count(
                            "smtp.commands-without-mail-max",
                            1000,
                            10,
                            1_000_000,
                            "Commands on a connection since its last message that do not lead to a"
                                    + " message: HELO, EHLO, RSET, NOOP, VRFY, HELP, RCPT that is"
                                    + " refused or beyond the limit, DATA and BDAT refused with"
                                    + " 452, empty chunks; the next one gets 421 4.7.0."),
                    settings.count(
                            "smtp.connections-max",
                            1000,
                            1,
                            1_000_000,
                            "Connections at once; further ones get 421 4.7.0."));
        }
    }

    /** Over all connections. */
    record MemoryLimits(long contentBytesMax, long envelopeBytesMax) {
        /** Checks both. */
        MemoryLimits {
            requirePositive("smtp.bytes-in-flight-max", contentBytesMax);
            requirePositive("smtp.envelope-bytes-max", envelopeBytesMax);
        }

        private static MemoryLimits read(Settings settings) {
            return new MemoryLimits(
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
                                    + " Heap."));
        }
    }

    /** {@return how many threads serve connections} */
    private static int eventLoops(Settings settings) {
        int given = settings.count(
                "smtp.event-loops",
                0,
                0,
                1024,
                "Threads that serve connections; 0 for half the logical cores, two at least.");
        return given > 0 ? given : Math.max(2, CORES / 2);
    }

    static Limits read(Settings settings) {
        String hostName = OwnName.read(settings);
        return new Limits(
                hostName.isEmpty() ? OwnName.literalOfMachine() : hostName,
                LineLimits.read(settings),
                MessageLimits.read(settings),
                SessionLimits.read(settings),
                MemoryLimits.read(settings),
                TimeLimits.read(settings),
                AddressLimits.read(settings),
                eventLoops(settings));
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
            throw new IllegalArgumentException("setting " + key + ": has to be more than zero");
        }
    }
}
