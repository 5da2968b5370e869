package org.hubmark.bench.load;

/** What fills a generated message. */
public enum Attachments {
    /** Lines of text; there are none. */
    NONE,
    /** One in base64 (RFC 2045 6.8): lines of 76 letters. */
    BASE64,
    /** One as it is (BINARYMIME, RFC 3030 3), which needs BDAT. */
    BINARY
}
