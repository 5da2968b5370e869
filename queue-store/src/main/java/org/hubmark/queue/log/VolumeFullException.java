package org.hubmark.queue.log;

import java.io.IOException;
import java.util.List;

/** A volume has no room for what was to be written. */
public final class VolumeFullException extends IOException {
    private static final long serialVersionUID = 1L;

    /** As the system says ENOSPC, which is also what it says of used up inodes, and EDQUOT. */
    private static final List<String> WORDS =
            List.of("No space left on device", "Disk quota exceeded");

    /** Says what has no room and because of what. */
    public VolumeFullException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Says what has no room. */
    public VolumeFullException(String message) {
        super(message);
    }

    /** {@return whether an operation failed for want of room, as far as its type or its words say so} */
    public static boolean isCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof VolumeFullException
                    || WORDS.stream().anyMatch(message::contains)) {
                return true;
            }
        }
        return false;
    }
}
