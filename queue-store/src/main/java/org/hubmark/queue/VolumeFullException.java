package org.hubmark.queue;

import java.io.IOException;

/** A volume has no room for what was to be written. */
final class VolumeFullException extends IOException {
    private static final long serialVersionUID = 1L;

    VolumeFullException(String message, Throwable cause) {
        super(message, cause);
    }

    VolumeFullException(String message) {
        super(message);
    }
}
