package org.hubmark.bench.load;

/** How a client shows who it is (RFC 4954), the better first. */
public enum SaslMechanism {
    /** RFC 4616. */
    PLAIN,
    /** Of no RFC, but what many servers have. */
    LOGIN
}
