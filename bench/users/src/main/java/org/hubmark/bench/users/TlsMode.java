package org.hubmark.bench.users;

import java.util.Locale;

/** When a connection begins to be encrypted. */
public enum TlsMode {
    /** Never. */
    OFF,
    /** After a command of that name (RFC 3207, RFC 9051 6.2.1). */
    STARTTLS,
    /** Before the first word (RFC 8314). */
    IMPLICIT;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
