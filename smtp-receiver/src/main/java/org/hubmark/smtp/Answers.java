package org.hubmark.smtp;

/**
 * Answers the commands of one connection, and ends it when too many of them were errors or have brought no
 * mail on since its last message. Used by its event loop.
 */
final class Answers {
    private final Service service;
    private final Connection connection;
    private int errors;
    private int commandsWithoutMail;

    Answers(Service service, Connection connection) {
        this.service = service;
        this.connection = connection;
    }

    /** A message was accepted: what was before it counts no longer. */
    void forgive() {
        errors = 0;
        commandsWithoutMail = 0;
    }

    void reply(Reply reply) {
        if (reply.isPermanent()) {
            service.counters().commandErrors.increment();
        }
        answer(reply);
    }

    /** Answers a command that brings no message on. They are cheap, and so is sending them. */
    void replyWithoutMail(Reply reply) {
        if (++commandsWithoutMail > Limits.COMMANDS_WITHOUT_MAIL_MAX) {
            connection.end(Ending.COMMANDS);
        } else {
            reply(reply);
        }
    }

    /**
     * Refuses a recipient. A list may have many bad ones, and a client may name a hundred at least (RFC 5321
     * 4.5.3.1.8): so these are no errors, but commands that bring no mail on.
     */
    void refuseRecipient(Reply refusal) {
        service.counters().commandErrors.increment();
        if (++commandsWithoutMail > Limits.COMMANDS_WITHOUT_MAIL_MAX) {
            connection.end(Ending.COMMANDS);
        } else {
            connection.reply(refusal);
        }
    }

    /** Answers the end of content, which is no command. */
    void answer(Reply reply) {
        if (reply.isPermanent() && ++errors > Limits.ERRORS_MAX) {
            connection.end(Ending.ERRORS);
        } else {
            connection.reply(reply);
        }
    }
}
