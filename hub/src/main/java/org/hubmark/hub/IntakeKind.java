package org.hubmark.hub;

/** Kind of intake that takes the mail of the receiver. */
public enum IntakeKind {
    /** The durable queue. */
    STORE,
    /** Nothing: each message is accepted and thrown away. The ceiling of the receive path. */
    DISCARD
}
