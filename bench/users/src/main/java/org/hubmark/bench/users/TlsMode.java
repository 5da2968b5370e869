package org.hubmark.bench.users;

/** When a connection begins to be encrypted. */
public enum TlsMode {
    /** Never. */
    PLAIN,
    /** After a command of that name (RFC 3207, RFC 9051 6.2.1). */
    STARTTLS,
    /** Before the first word (RFC 8314). */
    IMPLICIT
}
