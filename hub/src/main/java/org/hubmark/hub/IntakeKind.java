package org.hubmark.hub;

/** What takes the mail that the receiver receives. */
public enum IntakeKind {
    /** The durable queue. */
    STORE,
    /** Nothing: each message is accepted and thrown away. The ceiling of the receive path. */
    DISCARD;

    /**
     * Reads {@code store} or {@code discard}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    public static IntakeKind parse(String text) {
        return switch (text) {
            case "store" -> STORE;
            case "discard" -> DISCARD;
            default ->
                throw new IllegalArgumentException(
                        "'" + text + "' is not an intake (store, discard)");
        };
    }
}
