package org.hubmark.core;

import java.io.IOException;

/** A store can't be opened or read; the message says what is wrong, where, and what to do. */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong. */
    public StoreException(String message) {
        super(message);
    }

    /** Says what is wrong and because of what. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
