package org.hubmark.smtp;

/** Why a receiver ends a connection that its peer would have gone on with; each has a counter. */
public enum Ending {
    /** Octets came before the greeting was sent. */
    EARLY_TALKER(Reply.EARLY_TALKER),
    /** The command of another protocol, a header field, or octets that are no text. */
    NOT_SMTP(Reply.NOT_SMTP),
    /** A BDAT whose octets can't be told from commands, are too many, or belong to no MAIL. */
    BDAT(Reply.BDAT_SYNTAX),
    /** A command line that does not end. */
    LINE_ENDLESS(Reply.LINE_ENDLESS),
    /** Content that was refused and does not end; the reply says why it was refused. */
    CONTENT_ENDLESS(Reply.CONTENT_ENDLESS),
    /** More errors than a connection may have. */
    ERRORS(Reply.TOO_MANY_ERRORS),
    /** More commands without mail than a connection may have. */
    COMMANDS(Reply.TOO_MANY_COMMANDS),
    /** No whole command in time. */
    COMMAND_LATE(Reply.COMMAND_LATE),
    /** No content in time. */
    CONTENT_LATE(Reply.CONTENT_LATE),
    /** Content below the least rate. */
    CONTENT_SLOW(Reply.CONTENT_SLOW),
    /** A mail transaction that takes too long. */
    TRANSACTION_LATE(Reply.TRANSACTION_LATE);

    @SuppressWarnings("ImmutableEnumChecker") // A reply is immutable.
    private final Reply reply;

    Ending(Reply reply) {
        this.reply = reply;
    }

    /** {@return what the peer is told, where nothing more exact is known} */
    Reply reply() {
        return reply;
    }
}
