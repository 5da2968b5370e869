package org.hubmark.bench.load;

import java.util.Locale;

/** How content travels. */
public enum Transfer {
    /** DATA (RFC 5321 4.1.1.4): dot-stuffed lines after a 354. */
    DATA,
    /** BDAT (RFC 3030): counted octets, no stuffing and no 354. */
    BDAT;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
