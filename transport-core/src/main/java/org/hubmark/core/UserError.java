package org.hubmark.core;

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

    /** {@return the exit code of the process} */
    public int exitCode() {
        return exitCode;
    }
}
