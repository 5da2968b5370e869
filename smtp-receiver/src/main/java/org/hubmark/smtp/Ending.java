package org.hubmark.smtp;

/** Why a receiver ends a connection that its peer would have gone on with; each has a counter. */
public enum Ending {
    /** Octets came before the greeting was sent. */
    EARLY_TALKER,
    /** The command of another protocol, a header field, or octets that are no text. */
    NOT_SMTP,
    /** A BDAT whose octets can't be told from commands, are too many, or belong to no MAIL. */
    BDAT,
    /** A command line that does not end. */
    LINE_ENDLESS,
    /** Content that was refused and does not end; the reply says why it was refused. */
    CONTENT_ENDLESS,
    /** More errors than a connection may have. */
    ERRORS,
    /** More commands without mail than a connection may have. */
    COMMANDS,
    /** No whole command in time. */
    COMMAND_LATE,
    /** No content in time. */
    CONTENT_LATE,
    /** Content below the least rate. */
    CONTENT_SLOW,
    /** A mail transaction that takes too long. */
    TRANSACTION_LATE;

    /** {@return what the peer is told, where nothing more exact is known} */
    Reply reply() {
        return switch (this) {
            case EARLY_TALKER -> Reply.EARLY_TALKER;
            case NOT_SMTP -> Reply.NOT_SMTP;
            case BDAT -> Reply.BDAT_SYNTAX;
            case LINE_ENDLESS -> Reply.LINE_ENDLESS;
            case CONTENT_ENDLESS -> Reply.CONTENT_ENDLESS;
            case ERRORS -> Reply.TOO_MANY_ERRORS;
            case COMMANDS -> Reply.TOO_MANY_COMMANDS;
            case COMMAND_LATE -> Reply.COMMAND_LATE;
            case CONTENT_LATE -> Reply.CONTENT_LATE;
            case CONTENT_SLOW -> Reply.CONTENT_SLOW;
            case TRANSACTION_LATE -> Reply.TRANSACTION_LATE;
        };
    }

    /** {@return whether the peer was not fast enough} */
    boolean isLate() {
        return switch (this) {
            case COMMAND_LATE, CONTENT_LATE, CONTENT_SLOW, TRANSACTION_LATE -> true;
            case EARLY_TALKER, NOT_SMTP, BDAT, LINE_ENDLESS, CONTENT_ENDLESS, ERRORS, COMMANDS ->
                false;
        };
    }
}
