package org.hubmark.hub;

/** What takes the mail that the receiver receives. */
public enum IntakeKind {
    /** The durable queue. */
    STORE,
    /** Nothing: each message is accepted and thrown away. The ceiling of the receive path. */
    DISCARD
}
