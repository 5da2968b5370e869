package org.hubmark.bench.users.imap;

import java.io.IOException;

/** The server has answered NO, BAD or BYE; but for BYE, the connection can still be used. */
public final class ImapRefusal extends IOException {
    private static final long serialVersionUID = 1L;

    private final String command;
    private final String kind;
    private final boolean bye;

    ImapRefusal(String command, ImapResponse answer) {
        super("answered " + command + " with " + answer.name() + " " + answer.text());
        String code = answer.code();
        this.command = command;
        this.kind = answer.name() + (code.isEmpty() ? "" : " [" + code.split(" ", 2)[0] + "]");
        this.bye = answer.name().equals("BYE");
    }

    /** {@return what was refused and how, without what differs from time to time} */
    public String kind() {
        return command + " " + kind;
    }

    /** {@return whether it was the name or the password} */
    public boolean isOfLogon() {
        return command.equals("LOGIN");
    }

    /** {@return whether the server ends the connection} */
    public boolean isBye() {
        return bye;
    }
}
