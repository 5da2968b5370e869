package org.hubmark.core;

/**
 * Type of the content that the sender declared at MAIL (RFC 6152, RFC 3030), the narrowest first.
 */
public enum BodyType implements Coded {
    /** Lines of US-ASCII; what a MAIL without BODY means. */
    SEVEN_BIT(0),
    /** Lines with octets above 127. */
    EIGHT_BIT_MIME(1),
    /** Any octets, no line structure; only with BDAT. */
    BINARY_MIME(2);

    private final int code;

    BodyType(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
