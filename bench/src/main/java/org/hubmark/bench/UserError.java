package org.hubmark.bench;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Something that the person at the terminal can mend: one line that says what and how. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int exitCode;

    private UserError(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** {@return an error of usage: exit code 2} */
    public static UserError usage(String message) {
        return new UserError(2, message);
    }

    /** {@return a failure: exit code 1} */
    public static UserError failed(String message) {
        return new UserError(1, message);
    }

    /** {@return the same, said of something} */
    public UserError of(String what) {
        return new UserError(exitCode, what + ": " + getMessage());
    }

    /** {@return what was wrong with a file, in words, without the name of a Java class if possible} */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such folder, and none can be made";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "it is a file, not a folder";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** {@return the exit code of the process} */
    public int exitCode() {
        return exitCode;
    }
}
