package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * The dialogue with one peer (RFC 5321): what may follow what, and what is answered.
 *
 * <p>Used by its event loop; receipts come on threads of the intake's and are taken over to it.
 */
final class Session {
    private enum Mode {
        COMMANDS,
        DATA,
        CHUNK
    }

    private final Service service;
    private final Connection connection;
    private final Workspace workspace;
    private final String peer;
    private final CommandDecoder commands;
    private final MessageReader reader;
    private final Rules rules;
    private Mode mode = Mode.COMMANDS;
    private String greetedAs = "";
    private boolean extended;
    private @Nullable MailTransaction transaction;
    private boolean chunkIsLast;
    private int errors;
    private boolean waiting;
    private boolean stopping;
    private boolean closed;

    Session(Service service, Connection connection, String peer) {
        this.service = service;
        this.connection = connection;
        this.peer = peer;
        this.workspace = Workspace.current();
        this.commands =
                new CommandDecoder(workspace.scratch, service.limits().commandLineOctetsMax());
        this.reader = new MessageReader(service, workspace.scratch);
        this.rules = new Rules(service.policy(), connection, peer);
    }

    void greet() {
        connection.reply(new Reply("220 " + service.limits().hostName() + " ESMTP Hubmark"));
    }

    /** {@return whether nothing may be read since the intake has yet to answer} */
    boolean isWaiting() {
        return waiting;
    }

    /** {@return whether content is being read} */
    boolean isReadingContent() {
        return mode != Mode.COMMANDS;
    }

    /** Takes what it can of one command or of content; false if it takes more to go on. */
    boolean consume(ByteBuf in) {
        return switch (mode) {
            case COMMANDS -> consumeCommand(in);
            case DATA -> {
                boolean ended = reader.data(in);
                rules.check(reader);
                if (ended) {
                    mode = Mode.COMMANDS;
                    endOfContent();
                } else {
                    spoolFullPart();
                }
                yield true;
            }
            case CHUNK -> {
                consumeChunk(in);
                yield true;
            }
        };
    }

    /** Lets an open transaction end, and ends the connection then; at once if there is none. */
    void stop() {
        stopping = true;
        if (transaction == null && !waiting && mode == Mode.COMMANDS) {
            connection.reply(Reply.CLOSING);
        }
    }

    /** Gives up what is not the intake's. The connection is gone. */
    void close() {
        closed = true;
        if (!waiting) {
            reader.discard();
        }
    }

    private boolean consumeCommand(ByteBuf in) {
        switch (commands.decode(in)) {
            case COMMAND -> execute(commands.verb(), commands.argument());
            case MALFORMED -> reply(Reply.LINE_MALFORMED);
            case TOO_LONG -> reply(Reply.LINE_TOO_LONG);
            case INCOMPLETE -> {
                return false;
            }
        }
        return true;
    }

    private void execute(CommandDecoder.Verb verb, String argument) {
        Reply refused = rules.refusal(verb, argument);
        if (refused != null) {
            reply(refused);
            return;
        }
        switch (verb) {
            case HELO, EHLO -> hello(argument, verb == CommandDecoder.Verb.EHLO);
            case MAIL -> mail(argument);
            case RCPT -> recipient(argument);
            case DATA -> reply(argument.isEmpty() ? data() : Reply.NO_ARGUMENT);
            case BDAT -> bdat(argument);
            case RSET -> {
                if (argument.isEmpty()) {
                    endTransaction();
                }
                reply(argument.isEmpty() ? Reply.OK : Reply.NO_ARGUMENT);
            }
            case NOOP -> reply(Reply.OK);
            case VRFY -> reply(argument.isEmpty() ? Reply.ARGUMENT_NEEDED : Reply.CANNOT_VERIFY);
            case HELP -> reply(Reply.HELP);
            case QUIT -> reply(argument.isEmpty() ? Reply.BYE : Reply.NO_ARGUMENT);
            case STARTTLS -> startTls(argument);
            case EXPN -> reply(Reply.NOT_IMPLEMENTED);
            case UNKNOWN -> reply(Reply.UNKNOWN_COMMAND);
        }
    }

    private void hello(String name, boolean isExtended) {
        if (!PathParser.isGreetingName(name)) {
            reply(Reply.GREETING_NAME);
            return;
        }
        endTransaction();
        greetedAs = name;
        extended = isExtended;
        reply(
                isExtended
                        ? Reply.features(service.limits(), connection.offersTls())
                        : new Reply("250 " + service.limits().hostName()));
    }

    /** What was said before the handshake is forgotten after it (RFC 3207 4.2). */
    private void startTls(String argument) {
        Reply refused = argument.isEmpty() ? connection.startTls(extended) : Reply.NO_ARGUMENT;
        if (refused != null) {
            reply(refused);
            return;
        }
        endTransaction();
        greetedAs = "";
        extended = false;
    }

    private void mail(String argument) {
        if (stopping) {
            reply(Reply.CLOSING);
        } else if (greetedAs.isEmpty()) {
            reply(Reply.HELLO_FIRST);
        } else if (transaction != null) {
            reply(Reply.NESTED_MAIL);
        } else {
            switch (PathCommand.mail(argument)) {
                case PathCommand.Mail mail -> reply(open(mail));
                case PathCommand.Malformed malformed -> reply(malformed.reply());
                case PathCommand.Recipient recipient ->
                    throw new IllegalStateException("not of MAIL: " + recipient);
            }
        }
    }

    private Reply open(PathCommand.Mail mail) {
        if (mail.sizeBytes() > service.limits().messageBytesMax()) {
            return Reply.TOO_LARGE;
        }
        Receipt.Refused refused = service.intake().refusal();
        if (refused != null) {
            return Reply.to(refused);
        }
        transaction = new MailTransaction(mail, service.clock().instant());
        return Reply.SENDER_OK;
    }

    private void recipient(String argument) {
        if (transaction == null) {
            reply(Reply.MAIL_FIRST);
        } else if (transaction.chunked) {
            reply(Reply.RCPT_AFTER_BDAT);
        } else {
            switch (PathCommand.recipient(argument)) {
                case PathCommand.Recipient recipient -> {
                    if (transaction.forwardPaths.size() >= service.limits().recipientsMax()) {
                        reply(Reply.TOO_MANY_RECIPIENTS);
                    } else {
                        transaction.forwardPaths.add(recipient.forwardPath());
                        reply(Reply.RECIPIENT_OK);
                    }
                }
                case PathCommand.Malformed malformed -> reply(malformed.reply());
                case PathCommand.Mail mail ->
                    throw new IllegalStateException("not of RCPT: " + mail);
            }
        }
    }

    private Reply data() {
        if (transaction == null) {
            return Reply.MAIL_FIRST;
        }
        if (transaction.forwardPaths.isEmpty()) {
            return Reply.RECIPIENT_FIRST;
        }
        if (transaction.chunked) {
            return Reply.DATA_AFTER_BDAT;
        }
        if (transaction.mail.bodyType() == BodyType.BINARY_MIME) {
            return Reply.BINARY_NEEDS_BDAT;
        }
        if (!openContent(transaction, transaction.mail.sizeBytes())) {
            return Reply.NO_MEMORY;
        }
        reader.beginData();
        mode = Mode.DATA;
        return Reply.DATA_GO_AHEAD;
    }

    private void bdat(String argument) {
        ChunkCommand chunk = ChunkCommand.parse(argument);
        if (chunk == null) {
            reply(Reply.BDAT_SYNTAX);
            return;
        }
        // Whatever the answer is, so many octets follow, and they are no commands.
        Reply refused = null;
        if (transaction == null) {
            refused = Reply.MAIL_FIRST;
        } else if (transaction.forwardPaths.isEmpty()) {
            refused = Reply.RECIPIENT_FIRST;
        } else if (!transaction.chunked) {
            long declaredBytes = transaction.mail.sizeBytes();
            if (!openContent(transaction, declaredBytes > 0 ? declaredBytes : chunk.octets())) {
                refused = Reply.NO_MEMORY;
            }
            transaction.chunked = true;
        }
        chunkIsLast = chunk.last();
        mode = Mode.CHUNK;
        reader.beginChunk(chunk.octets(), refused);
        if (chunk.octets() == 0) {
            endOfChunk();
        }
    }

    private boolean openContent(MailTransaction opened, long declaredBytes) {
        QueueId id = service.intake().nextId();
        byte[] traceField = opened.traceField(
                greetedAs,
                peer,
                service.limits().hostName(),
                extended ? connection.isSecure() ? "ESMTPS" : "ESMTP" : "SMTP",
                id.toString(),
                workspace.date(opened.receivedAt));
        return reader.open(id, traceField, declaredBytes);
    }

    private void consumeChunk(ByteBuf in) {
        boolean whole = reader.chunk(in);
        rules.check(reader);
        if (!spoolFullPart() && whole) {
            endOfChunk();
        }
    }

    private void endOfChunk() {
        mode = Mode.COMMANDS;
        Reply refusal = reader.refusal();
        if (chunkIsLast && transaction != null) {
            endOfContent();
        } else if (transaction == null) {
            reply(refusal == null ? Reply.MAIL_FIRST : refusal);
        } else if (refusal != null) {
            // The transaction is over: each further chunk is out of sequence, and refused as such.
            refuseMessage(refusal);
        } else {
            reply(new Reply("250 2.0.0 " + reader.chunkOctets() + " octets received"));
        }
    }

    private void endOfContent() {
        MailTransaction ended = transaction;
        Content content = reader.handOver();
        if (ended == null || content == null) {
            Reply refusal = reader.refusal();
            finish(refusal == null ? Reply.MAIL_FIRST : refusal);
            return;
        }
        long sizeBytes = content.sizeBytes();
        waiting = true;
        service.intake()
                .enqueue(
                        ended.envelope(peer),
                        content,
                        receipt -> connection.onEventLoop(() -> committed(receipt, sizeBytes)));
    }

    private void committed(Receipt receipt, long sizeBytes) {
        waiting = false;
        if (closed) {
            return;
        }
        switch (receipt) {
            case Receipt.Queued queued -> {
                service.counters().messagesAccepted.increment();
                service.counters().bytesAccepted.add(sizeBytes);
                endTransaction();
                reply(new Reply("250 2.0.0 queued as " + queued.id()));
                endIfStopping();
            }
            case Receipt.Refused refused -> finish(Reply.to(refused));
        }
    }

    /** Answers the end of content that is not taken. */
    private void finish(Reply refusal) {
        refuseMessage(refusal);
        endIfStopping();
    }

    private boolean spoolFullPart() {
        Content content = reader.fullPart();
        if (content == null) {
            return false;
        }
        waiting = true;
        service.intake().spool(content, refused -> {
            if (!connection.onEventLoop(() -> spooled(refused))) {
                service.intake().abandon(content);
            }
        });
        return true;
    }

    private void spooled(Optional<Receipt.Refused> refused) {
        waiting = false;
        if (closed) {
            reader.discard();
            return;
        }
        refused.ifPresent(reason -> reader.refuse(Reply.to(reason)));
        if (mode == Mode.CHUNK && reader.chunkIsWhole()) {
            endOfChunk();
        }
    }

    private void endTransaction() {
        transaction = null;
        reader.discard();
    }

    private void endIfStopping() {
        if (stopping && !connection.isEnding()) {
            connection.reply(Reply.CLOSING);
        }
    }

    private void refuseMessage(Reply refusal) {
        SmtpCounters counters = service.counters();
        (refusal.isPermanent() ? counters.messagesRejected : counters.messagesDeferred).increment();
        endTransaction();
        answer(refusal);
    }

    private void reply(Reply reply) {
        if (reply.isPermanent()) {
            service.counters().commandErrors.increment();
        }
        answer(reply);
    }

    private void answer(Reply reply) {
        boolean tooMany = reply.isPermanent() && ++errors > service.limits().errorsMax();
        connection.reply(tooMany ? Reply.TOO_MANY_ERRORS : reply);
    }
}
