package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Envelope;
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
    private final ContentBudget envelopeBudget;
    private final Workspace workspace;
    private final String peer;
    private final boolean trusted;
    private final CommandDecoder commands;
    private final MessageReader reader;
    private final Rules rules;
    private final Answers answers;
    private Mode mode = Mode.COMMANDS;
    private String greetedAs = "";
    private boolean extended;
    private @Nullable MailTransaction transaction;

    /**
     * Whether the last MAIL, or its message, was refused: chunks that were sent before the reply was
     * read may still come (RFC 3030 4.2), and are read.
     */
    private boolean mailRefused;

    private boolean chunkIsLast;
    private long steps;
    private long transactions;
    private boolean waiting;
    private boolean pausing;
    private boolean checking;
    private boolean stopping;
    private boolean closed;

    /**
     * Makes a session.
     *
     * @param address what the peer may use together with others
     * @param peer its address, as in the Received field
     * @param trusted whether it may send to anybody
     */
    Session(
            Service service,
            Connection connection,
            Peers.Address address,
            String peer,
            boolean trusted) {
        this.service = service;
        this.connection = connection;
        this.envelopeBudget = address.envelopes();
        this.peer = peer;
        this.trusted = trusted;
        this.workspace = Workspace.current();
        this.commands = new CommandDecoder(
                workspace.scratch, Limits.COMMAND_OCTETS_MAX, Limits.COMMAND_OCTETS_SKIPPED_MAX);
        this.reader = new MessageReader(service, address.content(), workspace.scratch);
        this.rules = new Rules(service.policy(), connection, peer);
        this.answers = new Answers(service, connection);
    }

    void greet() {
        connection.reply(new Reply("220 " + service.limits().hostName() + " ESMTP Hubmark"));
    }

    /** {@return whether nothing may be read since it is our turn: the intake's, a check's or a pause's} */
    boolean isWaiting() {
        return waiting || pausing || checking;
    }

    /**
     * {@return whether replies may wait for that to a chunk, on which the intake has yet to answer} Never that to
     * DATA, without which a peer sends no content.
     */
    boolean mayHoldReplies() {
        return waiting && transaction != null && transaction.chunked;
    }

    /** {@return whether content is being read} */
    boolean isReadingContent() {
        return mode != Mode.COMMANDS;
    }

    /** {@return a count that grows with each whole command, and with each end of content} */
    long steps() {
        return steps;
    }

    /** {@return whether a mail transaction is open} */
    boolean isInTransaction() {
        return transaction != null;
    }

    /** {@return a count of the mail transactions so far} */
    long transactions() {
        return transactions;
    }

    /** {@return the octets of content that were read so far, of all messages} */
    long contentOctetsRead() {
        return reader.octetsRead();
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
                    steps++;
                    endOfContent();
                } else if (!endIfEndless()) {
                    storeFullExtent();
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
        if (transaction == null && !isWaiting() && mode == Mode.COMMANDS) {
            connection.reply(Reply.CLOSING);
        }
    }

    /** Gives up what is not the intake's. The connection is gone, or ends. */
    void close() {
        closed = true;
        if (!waiting) {
            endTransaction();
        }
    }

    private boolean consumeCommand(ByteBuf in) {
        switch (commands.decode(in)) {
            case COMMAND -> execute(commands.verb(), commands.argument());
            case MALFORMED -> answers.reply(Reply.LINE_MALFORMED);
            case TOO_LONG -> answers.reply(Reply.LINE_TOO_LONG);
            case ENDLESS -> connection.end(Ending.LINE_ENDLESS);
            case FOREIGN -> connection.end(Ending.NOT_SMTP);
            case BINARY -> {
                // Whoever begins so would take a reply for something else, if it reads one at all.
                connection.endWithoutReply(Ending.NOT_SMTP);
            }
            case INCOMPLETE -> {
                return false;
            }
        }
        steps++;
        return true;
    }

    private void execute(CommandDecoder.Verb verb, String argument) {
        Reply refused = needsTls(verb) ? Reply.TLS_REQUIRED : rules.refusal(verb, argument);
        if (refused != null) {
            mailRefused |= verb == CommandDecoder.Verb.MAIL;
            answers.reply(refused);
            return;
        }
        switch (verb) {
            case HELO, EHLO -> hello(argument, verb == CommandDecoder.Verb.EHLO);
            case MAIL -> mail(argument);
            case RCPT -> recipient(argument);
            case DATA -> {
                Reply answer = argument.isEmpty() ? data() : Reply.NO_ARGUMENT;
                if (answer == Reply.NO_MEMORY) {
                    answers.replyWithoutMail(answer);
                } else {
                    answers.reply(answer);
                }
            }
            case BDAT -> bdat(argument);
            case RSET -> {
                if (argument.isEmpty()) {
                    endTransaction();
                    mailRefused = false;
                }
                answers.replyWithoutMail(argument.isEmpty() ? Reply.OK : Reply.NO_ARGUMENT);
            }
            case NOOP -> answers.replyWithoutMail(Reply.OK);
            case VRFY ->
                answers.replyWithoutMail(
                        argument.isEmpty() ? Reply.ARGUMENT_NEEDED : Reply.CANNOT_VERIFY);
            case HELP -> answers.replyWithoutMail(Reply.HELP);
            case QUIT -> answers.reply(argument.isEmpty() ? Reply.BYE : Reply.NO_ARGUMENT);
            case STARTTLS -> startTls(argument);
            case EXPN -> answers.reply(Reply.NOT_IMPLEMENTED);
            case UNKNOWN -> answers.reply(Reply.UNKNOWN_COMMAND);
        }
    }

    /** RFC 3207 4; the octets of a chunk follow its command whatever the answer. */
    private boolean needsTls(CommandDecoder.Verb verb) {
        if (connection.isSecure() || service.tls() == null || !service.tls().isRequired()) {
            return false;
        }
        return switch (verb) {
            case HELO, EHLO, NOOP, STARTTLS, QUIT, BDAT, UNKNOWN -> false;
            case MAIL, RCPT, DATA, RSET, VRFY, HELP, EXPN -> true;
        };
    }

    private void hello(String argument, boolean isExtended) {
        String name = GreetingName.of(argument);
        if (name.isEmpty() || name.length() > GreetingName.OCTETS_MAX) {
            answers.reply(name.isEmpty() ? Reply.GREETING_NAME : Reply.GREETING_NAME_LONG);
            return;
        }
        endTransaction();
        mailRefused = false;
        greetedAs = name;
        extended = isExtended;
        answers.replyWithoutMail(
                isExtended
                        ? Reply.features(
                                service.limits(),
                                service.policy().bodyTypeMax(),
                                connection.offersTls())
                        : new Reply("250 " + service.limits().hostName()));
    }

    /** What was said before the handshake is forgotten after it (RFC 3207 4.2). */
    private void startTls(String argument) {
        Reply refused = argument.isEmpty() ? connection.startTls(extended) : Reply.NO_ARGUMENT;
        if (refused != null) {
            answers.reply(refused);
            return;
        }
        endTransaction();
        greetedAs = "";
        extended = false;
    }

    private void mail(String argument) {
        if (stopping) {
            answers.reply(Reply.CLOSING);
        } else if (greetedAs.isEmpty()) {
            answers.reply(Reply.HELLO_FIRST);
        } else if (transaction != null) {
            answers.reply(Reply.NESTED_MAIL);
        } else {
            reader.beginMessage();
            switch (PathCommand.mail(argument)) {
                case PathCommand.Mail mail -> {
                    long pauseNanos = service.intake().pauseNanos();
                    if (pauseNanos > 0) {
                        service.counters().mailPauses.increment();
                        connection.after(pauseNanos, () -> endPause(mail));
                        pausing = true;
                        return;
                    }
                    mailRefused = false;
                    answers.reply(open(mail));
                }
                case PathCommand.Malformed malformed -> answers.reply(malformed.reply());
                case PathCommand.Recipient recipient ->
                    throw new IllegalStateException("not of MAIL: " + recipient);
            }
        }
        mailRefused |= transaction == null;
    }

    /** What is refused is decided now, not before the pause. */
    private void endPause(PathCommand.Mail mail) {
        pausing = false;
        if (closed) {
            return;
        }
        mailRefused = false;
        answers.reply(stopping ? Reply.CLOSING : open(mail));
        mailRefused = transaction == null;
    }

    private Reply open(PathCommand.Mail mail) {
        if (mail.sizeBytes() > service.limits().messageBytesMax()) {
            return Reply.TOO_LARGE;
        }
        if (mail.bodyType().compareTo(service.policy().bodyTypeMax()) > 0) {
            return Reply.BODY_TYPE;
        }
        Receipt.Refused refused = service.intake().refusal();
        if (refused != null) {
            return Reply.to(refused);
        }
        transaction = MailTransaction.open(mail, service.clock().instant(), envelopeBudget);
        if (transaction == null) {
            return Reply.NO_ENVELOPE_MEMORY;
        }
        transactions++;
        return Reply.SENDER_OK;
    }

    private void recipient(String argument) {
        if (transaction == null) {
            answers.reply(Reply.MAIL_FIRST);
        } else if (transaction.chunked) {
            answers.reply(Reply.RCPT_AFTER_BDAT);
        } else {
            switch (PathCommand.recipient(argument)) {
                case PathCommand.Recipient recipient -> {
                    if (transaction.forwardPaths.size() >= service.limits().recipientsMax()) {
                        answers.replyWithoutMail(Reply.TOO_MANY_RECIPIENTS);
                    } else if (!trusted && !service.relaying().accepts(recipient.forwardPath())) {
                        service.counters().relayingDenied.increment();
                        answers.refuseRecipient(Reply.NO_RELAYING);
                    } else if (service.recipients() == null
                            || (trusted && !service.relaying().trustsEveryone())) {
                        take(transaction, recipient);
                    } else {
                        check(service.recipients(), transaction, recipient);
                    }
                }
                case PathCommand.Malformed malformed -> answers.refuseRecipient(malformed.reply());
                case PathCommand.Mail mail ->
                    throw new IllegalStateException("not of RCPT: " + mail);
            }
        }
    }

    private void take(MailTransaction open, PathCommand.Recipient recipient) {
        if (open.add(recipient.forwardPath())) {
            answers.reply(Reply.RECIPIENT_OK);
        } else {
            answers.replyWithoutMail(Reply.NO_ENVELOPE_MEMORY);
        }
    }

    /** What follows waits for the answer, so replies stay in order. */
    private void check(
            RecipientCheck recipients, MailTransaction open, PathCommand.Recipient recipient) {
        checking = true;
        boolean asked = false;
        try {
            recipients.check(recipient.forwardPath(), refusal -> {
                connection.onEventLoop(() -> checked(open, recipient, refusal));
            });
            asked = true;
        } finally {
            checking &= asked;
        }
    }

    private void checked(
            MailTransaction open, PathCommand.Recipient recipient, Optional<String> refusal) {
        checking = false;
        if (closed) {
            return;
        }
        if (refusal.isPresent()) {
            service.counters().recipientsRefused.increment();
            answers.refuseRecipient(Reply.noSuchRecipient(refusal.get()));
        } else {
            take(open, recipient);
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

    /**
     * Whatever the answer is, the octets of a chunk follow, and they are no commands. Where they
     * can't be told from commands, or are more than will be read, nothing after them can be either.
     */
    private void bdat(String argument) {
        ChunkCommand chunk = ChunkCommand.parse(argument);
        if (chunk == null) {
            connection.end(Ending.BDAT);
        } else if (chunk.octets() > service.limits().messageBytesMax()) {
            connection.end(Ending.BDAT, Reply.BDAT_TOO_LARGE);
        } else if (transaction == null && !mailRefused) {
            connection.end(Ending.BDAT, Reply.BDAT_WITHOUT_MAIL);
        } else {
            beginChunk(chunk);
        }
    }

    private void beginChunk(ChunkCommand chunk) {
        Reply refused = null;
        if (transaction == null) {
            refused = Reply.MAIL_FIRST;
        } else if (transaction.forwardPaths.isEmpty()) {
            refused = Reply.RECIPIENT_FIRST;
        } else if (!transaction.chunked) {
            long declaredBytes = transaction.mail.sizeBytes();
            transaction.chunked = true;
            if (openContent(transaction, declaredBytes > 0 ? declaredBytes : chunk.octets())) {
                reader.beginChunks(transaction.mail.bodyType() == BodyType.BINARY_MIME);
            } else {
                refused = Reply.NO_MEMORY;
            }
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
        if (!endIfEndless() && !storeFullExtent() && whole) {
            endOfChunk();
        }
    }

    private void endOfChunk() {
        mode = Mode.COMMANDS;
        steps++;
        if (chunkIsLast) {
            reader.endChunks();
        }
        Reply refusal = reader.refusal();
        if (chunkIsLast && transaction != null) {
            endOfContent();
        } else if (transaction == null) {
            answers.reply(refusal == null ? Reply.MAIL_FIRST : refusal);
        } else if (refusal != null) {
            // The transaction is over: each further chunk is out of sequence, and refused as such.
            refuseMessage(refusal);
        } else {
            Reply taken = new Reply("250 2.0.0 " + reader.chunkOctets() + " octets received");
            if (reader.chunkOctets() == 0) {
                answers.replyWithoutMail(taken);
            } else {
                answers.reply(taken);
            }
        }
    }

    /** Refused content is read to its end for the sake of the reply, but not for ever. */
    private boolean endIfEndless() {
        Reply refusal = reader.refusal();
        if (refusal == null || !reader.isEndless()) {
            return false;
        }
        connection.end(Ending.CONTENT_ENDLESS, refusal.closing());
        return true;
    }

    private void endOfContent() {
        MailTransaction ended = transaction;
        // What can throw comes before the content changes hands.
        Envelope envelope = ended == null || reader.refusal() != null
                ? null
                : ended.envelope(peer, reader.isEightBit());
        Content content = reader.handOver();
        if (ended == null || envelope == null || content == null) {
            Reply refusal = reader.refusal();
            finish(refusal == null ? Reply.MAIL_FIRST : refusal);
            return;
        }
        long sizeBytes = content.sizeBytes();
        waiting = true;
        boolean taken = false;
        try {
            service.intake().enqueue(envelope, content, receipt -> {
                // The envelope is the intake's now, and counted there, or gone.
                ended.close();
                connection.onEventLoopTogether(() -> committed(receipt, sizeBytes));
            });
            taken = true;
        } finally {
            if (!taken) {
                waiting = false;
                service.intake().abandon(content);
            }
        }
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
                answers.forgive();
                endTransaction();
                answers.reply(new Reply("250 2.0.0 queued as " + queued.id()));
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

    private boolean storeFullExtent() {
        Content content = reader.fullExtent();
        if (content == null) {
            return false;
        }
        MailTransaction storing = transaction;
        waiting = true;
        boolean taken = false;
        try {
            service.intake().storeExtent(content, refused -> {
                if (!connection.onEventLoop(() -> extentStored(refused))) {
                    service.intake().abandon(content);
                    if (storing != null) {
                        storing.close();
                    }
                }
            });
            taken = true;
        } finally {
            waiting &= taken;
        }
        return true;
    }

    private void extentStored(Optional<Receipt.Refused> refused) {
        waiting = false;
        if (closed) {
            endTransaction();
            return;
        }
        refused.ifPresent(reason -> reader.refuse(Reply.to(reason)));
        if (mode == Mode.CHUNK && reader.chunkIsWhole()) {
            endOfChunk();
        }
    }

    private void endTransaction() {
        if (transaction != null) {
            transaction.close();
            transaction = null;
        }
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
        mailRefused = true;
        answers.answer(refusal);
    }
}
