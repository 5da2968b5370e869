package org.hubmark.bench.load;

import java.util.Locale;

/** What fills a generated message. */
public enum Attachments {
    /** Lines of text; there are none. */
    NONE,
    /** One in base64 (RFC 2045 6.8): lines of 76 letters. */
    BASE64,
    /** One as it is (BINARYMIME, RFC 3030 3), which needs BDAT. */
    BINARY;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
