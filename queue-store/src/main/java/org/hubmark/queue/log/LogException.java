package org.hubmark.queue.log;

import java.io.IOException;

/** The log can't be opened or read; the message says what is wrong, where, and what to do. */
public final class LogException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong. */
    public LogException(String message) {
        super(message);
    }

    /** Says what is wrong and because of what. */
    public LogException(String message, Throwable cause) {
        super(message, cause);
    }
}
