package org.hubmark.queue.log;

import java.io.IOException;

/** A volume has no room for what was to be written. */
public final class VolumeFullException extends IOException {
    private static final long serialVersionUID = 1L;

    VolumeFullException(String message, Throwable cause) {
        super(message, cause);
    }

    VolumeFullException(String message) {
        super(message);
    }
}
