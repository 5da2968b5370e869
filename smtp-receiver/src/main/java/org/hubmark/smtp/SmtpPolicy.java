package org.hubmark.smtp;

import org.hubmark.core.BodyType;

/**
 * Rules of an embedder, or faults of a test, that a receiver asks before it goes on. Event loops
 * call it, several at once; it must not block.
 *
 * {@snippet file="org/hubmark/smtp/ExampleOnly.java" region="refuse"}
 */
public interface SmtpPolicy {
    /**
     * {@return the widest body that can be passed on (BODY of RFC 6152 and RFC 3030)} It is announced
     * and taken, and none that is wider.
     */
    default BodyType bodyTypeMax() {
        return BodyType.BINARY_MIME;
    }

    /** Decision of a policy. */
    sealed interface Verdict {
        /** Goes on as if nobody had been asked. */
        record Proceed() implements Verdict {}

        /**
         * Answers the command instead of executing it; content is read to its end and answered so
         * then. A reply of 421 ends the connection.
         *
         * @param reply one line of printable ASCII without its end, 4xx or 5xx: {@code 451 4.3.0
         *     try later}
         */
        record Refuse(String reply) implements Verdict {
            private static final int REPLY_LENGTH_MAX = 510;

            /** Checks the form of the reply (RFC 5321 4.2). */
            public Refuse {
                if (!reply.matches("[45][0-5][0-9] [ -~]+") || reply.length() > REPLY_LENGTH_MAX) {
                    throw new IllegalArgumentException("'" + reply
                            + "' is not a reply of one line, 4xx or 5xx (451 4.3.0 try later)");
                }
            }
        }

        /** Cuts the connection without a word. */
        record Disconnect() implements Verdict {}
    }

    /**
     * Asked before a command is executed; of BDAT only its octets are, as content.
     *
     * @param peer the client's address, as in the Received field; empty when there was none
     * @param verb in capitals; {@code UNKNOWN} for what isn't a command
     * @param argument what followed it, without the line end
     */
    default Verdict onCommand(String peer, String verb, String argument) {
        return new Verdict.Proceed();
    }

    /**
     * Asked while content comes, each time that some has been read.
     *
     * @param peer the client's address, as in the Received field; empty when there was none
     * @param octets of the message so far, the trace field on top included
     */
    default Verdict onContent(String peer, long octets) {
        return new Verdict.Proceed();
    }
}
