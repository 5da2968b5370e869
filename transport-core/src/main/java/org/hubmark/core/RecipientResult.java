package org.hubmark.core;

/**
 * Result of one recipient of a message so far.
 *
 * @param state what is to become of the recipient
 * @param reply what was said of the recipient last, one line, of which the beginning is kept; empty if
 *     nothing was, or if the message was delivered
 */
public record RecipientResult(State state, String reply) {
    /** RFC 5321 4.5.3.1.5 has 512 octets for a reply line. */
    public static final int REPLY_CHARACTERS_MAX = 512;

    /** Nothing was tried yet. */
    public static final RecipientResult UNTRIED = new RecipientResult(State.PENDING, "");

    /** The recipient has the message. */
    public static final RecipientResult DELIVERED = new RecipientResult(State.DELIVERED, "");

    /** State of a recipient. */
    public enum State implements Coded {
        /** To be tried, or tried again. */
        PENDING(0),
        /** To be tried again; the sender was told that it takes long. */
        DELAYED(1),
        /** Has the message: it is never sent to this recipient again. */
        DELIVERED(2),
        /** Won't have it: not tried again. */
        FAILED(3);

        private final int code;

        State(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** Cuts the reply: a peer may say as much as it likes, of each of many recipients. */
    public RecipientResult {
        if (reply.length() > REPLY_CHARACTERS_MAX) {
            reply = reply.substring(0, REPLY_CHARACTERS_MAX);
        }
    }

    /** {@return not delivered now; what is to be tried again} */
    public static RecipientResult pending(String reply) {
        return new RecipientResult(State.PENDING, reply);
    }

    /** {@return refused for good} */
    public static RecipientResult failed(String reply) {
        return new RecipientResult(State.FAILED, reply);
    }

    /** {@return whether there is something to try} */
    public boolean isOpen() {
        return switch (state) {
            case PENDING, DELAYED -> true;
            case DELIVERED, FAILED -> false;
        };
    }
}
