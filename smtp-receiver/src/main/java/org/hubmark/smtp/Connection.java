package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

import org.hubmark.core.AnswerGroup;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import javax.net.ssl.SSLException;

/**
 * Carries one session over one channel: collects what was read until the session can use it,
 * collects replies until a read is used up, and stops reading when something was read that must
 * wait, since the intake has yet to answer, mail is slowed, or the peer does not take its replies. So a connection
 * holds at most one receive buffer of input, or what its peer sent before it closed its side.
 *
 * <p>Used by its event loop. Owns the input and output buffers.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // A write or close that fails ends in channelInactive.
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private static final int OUTPUT_OCTETS = 512;
    private static final int OUTPUT_OCTETS_FLUSHED = 16 << 10;
    private static final int SMALL_INPUT_OCTETS = 4 << 10;

    /**
     * A peer that closes its side has sent as much more as the receive buffer of its socket holds, and all
     * of it is read while we wait. What exceeds this is taken from the budgets, in steps of as much.
     */
    private static final int PENDING_INPUT_OCTETS = 1 << 20;

    /** How long a peer may take to read the last reply, and then to close its side. */
    private static final long LAST_REPLY_SECONDS = 10;

    private static final long LINGER_SECONDS = 1;

    /** How long a line that has a bare LF may go on without a word. */
    private static final long LINE_END_SECONDS = 1;

    private final Service service;
    private final Peers.Address address;
    private @Nullable ChannelHandlerContext attached;
    private @Nullable Session session;
    private @Nullable Deadlines deadlines;
    private @Nullable ByteBuf input;
    private long inputReserved;
    private @Nullable ByteBuf output;
    private @Nullable Future<?> deadlineCheck;
    private boolean greeted;
    private boolean consuming;
    private boolean ending;
    private boolean endingBegun;
    private boolean lingering;
    private boolean inputEnded;
    private boolean secure;

    /**
     * Makes a connection.
     *
     * @param address what it was admitted as
     * @param secure whether TLS is in use from the first octet
     */
    Connection(Service service, Peers.Address address, boolean secure) {
        this.service = service;
        this.address = address;
        this.secure = secure;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        attached = context;
        SocketAddress client = context.channel().remoteAddress();
        Session opened = new Session(
                service,
                this,
                address,
                MailTransaction.peerOf(client),
                service.relaying().trusts(client));
        session = opened;
        TimeLimits times = service.limits().times();
        Deadlines watched = new Deadlines(times, opened, System.nanoTime());
        deadlines = watched;
        long periodNanos = Deadlines.periodNanos(times);
        deadlineCheck = context.executor()
                .scheduleWithFixedDelay(
                        () -> run(this::checkDeadlines),
                        periodNanos,
                        periodNanos,
                        TimeUnit.NANOSECONDS);
        // An event loop looks for input, then runs its tasks, those first whose time has come. So a
        // task that sets a time, even now, is followed by a look for input before that time comes,
        // and what a peer has said by then is known.
        context.executor()
                .execute(() -> context.executor()
                        .schedule(() -> run(this::greet), 0, TimeUnit.NANOSECONDS));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf read = (ByteBuf) message;
        ByteBuf before = input;
        if (ending) {
            read.release();
        } else if (!greeted) {
            read.release();
            end(Ending.EARLY_TALKER);
        } else if (before == null) {
            input = read;
        } else if (before.writableBytes() >= read.readableBytes()) {
            before.writeBytes(read);
            read.release();
        } else {
            try {
                input = context.alloc()
                        .directBuffer(roomFor(before.readableBytes() + read.readableBytes()))
                        .writeBytes(before)
                        .writeBytes(read);
                before.release();
            } finally {
                read.release();
            }
        }
        consume();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (deadlines != null) {
            deadlines.heard(System.nanoTime());
        }
        // The reply to a chunk is still to come, and the peer can't go on before it: the replies to
        // what it has pipelined in front of it go out with that one, in one call (RFC 2920 3.2).
        if (session == null || !session.mayHoldReplies()) {
            flush();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (deadlines != null) {
                deadlines.resume(System.nanoTime());
            }
            (handshake.isSuccess()
                            ? service.counters().tlsHandshakes
                            : service.counters().tlsFailures)
                    .increment();
        } else if (event == ChannelInputShutdownEvent.INSTANCE
                || event instanceof SslCloseCompletionEvent) {
            inputEnded = true;
            if (lingering) {
                // Both have said their last: nothing can come that would reset the connection.
                context.close();
                return;
            }
            consume();
            flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!consuming && context.channel().isWritable()) {
            consume();
            flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ending = true;
        Future<?> check = deadlineCheck;
        if (check != null) {
            check.cancel(false);
        }
        service.counters().connectionsClosed.increment();
        releaseInput();
        if (output != null) {
            output.release();
            output = null;
        }
        closeSession();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // The peer's bad TLS comes as the cause of a DecoderException.
        if (cause instanceof IOException || cause.getCause() instanceof SSLException) {
            context.close();
        } else {
            fail(context, cause);
        }
    }

    /**
     * Ends the connection for a fault of ours: says so where the last reply was not given yet, and gives
     * back at once what the session holds.
     */
    private void fail(ChannelHandlerContext context, Throwable cause) {
        LOG.error("session with {} ended by a bug in Hubmark", context.channel(), cause);
        boolean lastWritten = endingBegun;
        try {
            reply(Reply.FAULT);
            releaseInput();
            closeSession();
            flush();
            if (lastWritten) {
                context.close();
            }
        } catch (RuntimeException | Error again) {
            LOG.error("the end of the session with {} failed too", context.channel(), again);
            context.close();
        }
    }

    /** Runs a task of the event loop. What it throws ends the connection; Netty would only log it. */
    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void runAndGoOn(Runnable task) {
        try {
            task.run();
            if (!consuming) {
                goOn();
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void fail(Throwable cause) {
        ChannelHandlerContext context = attached;
        if (context != null) {
            fail(context, cause);
        }
    }

    private void closeSession() {
        if (session != null) {
            session.close();
        }
    }

    /** Adds a reply to those that go out when what was read is used up. */
    void reply(Reply reply) {
        ChannelHandlerContext context = attached;
        if (ending || context == null) {
            return;
        }
        if (output == null) {
            output = context.alloc().directBuffer(OUTPUT_OCTETS);
        }
        output.writeBytes(reply.line());
        ending = reply.ends();
    }

    /** Ends the connection for a reason that its peer gave. */
    void end(Ending why) {
        end(why, why.reply());
    }

    /**
     * Does the same.
     *
     * @param last what the peer is told
     */
    void end(Ending why, Reply last) {
        if (!ending) {
            service.counters().ended(why).increment();
            reply(last);
        }
    }

    /** Does the same without a word; what was answered before still goes out. */
    void endWithoutReply(Ending why) {
        if (!ending) {
            service.counters().ended(why).increment();
            ending = true;
        }
    }

    /** {@return whether a certificate is there and not yet in use} */
    boolean offersTls() {
        return service.tls() != null && !secure;
    }

    /** {@return whether TLS is in use} */
    boolean isSecure() {
        return secure;
    }

    /**
     * Answers STARTTLS (RFC 3207) and begins the handshake. Whatever came behind the command in plain
     * text, from the peer or from someone in between, must never be taken for something that came by
     * TLS: then the connection ends.
     *
     * @param greeted whether EHLO came first
     * @return what to answer instead, or null
     */
    @Nullable
    Reply startTls(boolean greeted) {
        Tls tls = service.tls();
        ChannelHandlerContext context = attached;
        if (tls == null || context == null) {
            return Reply.NOT_IMPLEMENTED;
        }
        if (secure || !greeted) {
            return secure ? Reply.TLS_ALREADY : Reply.HELLO_FIRST;
        }
        if (input != null && input.isReadable()) {
            service.counters().tlsFailures.increment();
            return Reply.TLS_PLAIN_TEXT;
        }
        SslHandler handler = tls.handler(context.alloc());
        if (handler == null) {
            service.counters().tlsFailures.increment();
            return Reply.TLS_UNAVAILABLE;
        }
        secure = true;
        reply(Reply.TLS_GO_AHEAD);
        flush();
        context.pipeline().addFirst(handler);
        return null;
    }

    /** Ends the connection without a word. */
    void cut() {
        ending = true;
        if (attached != null) {
            attached.close();
        }
    }

    /** {@return whether the last reply was given} */
    boolean isEnding() {
        return ending;
    }

    /**
     * Runs a task on the event loop, now if this is it, and goes on with what was read. What the task
     * throws ends the connection, and is not thrown on. Any thread.
     *
     * @return false if the event loop has ended and the task won't run
     */
    boolean onEventLoop(Runnable task) {
        return onEventLoop(task, Executor::execute);
    }

    /** Does the same together with what other answers of a group do; nothing if the event loop has ended. */
    void onEventLoopTogether(Runnable task) {
        onEventLoop(task, AnswerGroup::execute);
    }

    private boolean onEventLoop(Runnable task, BiConsumer<Executor, Runnable> handOver) {
        ChannelHandlerContext context = attached;
        if (context == null) {
            return false;
        }
        if (context.executor().inEventLoop()) {
            runAndGoOn(task);
            return true;
        }
        try {
            handOver.accept(context.executor(), () -> runAndGoOn(task));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs a task on the event loop after a time, and goes on with what was read. Event loop. */
    void after(long nanos, Runnable task) {
        ChannelHandlerContext context = attached;
        if (context != null) {
            context.executor().schedule(() -> runAndGoOn(task), nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Lets the session end when its transaction has ended. Event loop. */
    void stop() {
        run(() -> {
            if (session != null) {
                session.stop();
                flush();
            }
        });
    }

    private void greet() {
        if (!ending && session != null) {
            greeted = true;
            session.greet();
            flush();
        }
    }

    private void goOn() {
        if (deadlines != null) {
            deadlines.resume(System.nanoTime());
        }
        consume();
        flush();
    }

    private void consume() {
        ChannelHandlerContext context = attached;
        Session current = session;
        if (context == null || current == null || consuming) {
            return;
        }
        consuming = true;
        try {
            while (input != null
                    && input.isReadable()
                    && !ending
                    && !current.isWaiting()
                    && context.channel().isWritable()
                    && current.consume(input)) {
                if (output != null && output.readableBytes() >= OUTPUT_OCTETS_FLUSHED) {
                    flush();
                }
            }
        } finally {
            consuming = false;
        }
        keepInput(context);
        boolean mayGoOn = !current.isWaiting() && context.channel().isWritable();
        // Most peers send nothing while they wait, and pausing takes two system calls a message.
        boolean mayRead =
                ending || mayGoOn || (input == null && context.channel().isWritable());
        // Netty has taken a channel without input from its selector, and fails to put it back.
        if (!inputEnded && context.channel().config().isAutoRead() != mayRead) {
            context.channel().config().setAutoRead(mayRead);
        }
        ending |= inputEnded && mayGoOn;
        if (input != null && mayGoOn && !ending) {
            awaitLineEnd(context, current, input);
        }
    }

    /**
     * A peer that ends its lines by a bare LF waits for an answer, and would get none before the end of its
     * time. So it is told soon, and the connection ends: nothing makes a command of that line any more.
     */
    private void awaitLineEnd(ChannelHandlerContext context, Session current, ByteBuf line) {
        if (line.indexOf(line.readerIndex(), line.writerIndex(), (byte) '\n') < 0) {
            return;
        }
        long steps = current.steps();
        int octets = line.readableBytes();
        Runnable check = () -> {
            ByteBuf now = input;
            if (now != null && now.readableBytes() == octets && current.steps() == steps) {
                end(Ending.LINE_ENDLESS, Reply.LINE_WITHOUT_CR);
                flush();
            }
        };
        context.executor().schedule(() -> run(check), LINE_END_SECONDS, TimeUnit.SECONDS);
    }

    /** {@return twice as much where much is kept} Not all of it is to be copied at each read. */
    private static int roomFor(int octets) {
        return octets <= PENDING_INPUT_OCTETS ? octets : 2 * octets;
    }

    private void keepInput(ChannelHandlerContext context) {
        ByteBuf rest = input;
        if (rest == null) {
            return;
        }
        int octets = rest.readableBytes();
        if (ending || octets == 0) {
            releaseInput();
        } else if (!reserveInput(octets)) {
            context.close();
        } else if (octets < SMALL_INPUT_OCTETS && rest.capacity() > 4 * SMALL_INPUT_OCTETS) {
            // The beginning of a command must not hold a whole receive buffer for minutes.
            input = context.alloc().directBuffer(octets).writeBytes(rest);
            rest.release();
        }
    }

    /** {@return whether the budgets have room for so much input} */
    private boolean reserveInput(int octets) {
        long steps = Math.ceilDiv(octets, PENDING_INPUT_OCTETS) - 1L;
        long needed = Math.max(0, steps) * PENDING_INPUT_OCTETS;
        if (needed > inputReserved && !address.content().reserve(needed - inputReserved)) {
            return false;
        }
        if (needed < inputReserved) {
            address.content().release(inputReserved - needed);
        }
        inputReserved = needed;
        return true;
    }

    private void releaseInput() {
        if (input != null) {
            input.release();
            input = null;
        }
        reserveInput(0);
    }

    private void flush() {
        ChannelHandlerContext context = attached;
        if (context == null || endingBegun) {
            return;
        }
        ByteBuf replies = output;
        output = null;
        if (ending) {
            endingBegun = true;
            ChannelFuture written =
                    context.writeAndFlush(replies == null ? context.alloc().buffer(0) : replies);
            written.addListener(done -> linger(context));
            if (!written.isDone()) {
                closeAfter(context, LAST_REPLY_SECONDS);
            }
        } else if (replies != null) {
            context.writeAndFlush(replies, context.voidPromise());
        }
    }

    /**
     * Closes so that the last reply is not lost: what a peer still sends would reset the connection. It
     * is closed when the peer has ended it too, or after a time.
     */
    private void linger(ChannelHandlerContext context) {
        if (inputEnded || !(context.channel() instanceof DuplexChannel duplex)) {
            context.close();
            return;
        }
        lingering = true;
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (tls == null) {
            duplex.shutdownOutput();
        } else {
            tls.closeOutbound().addListener(said -> duplex.shutdownOutput());
        }
        closeAfter(context, LINGER_SECONDS);
    }

    private static void close(ChannelHandlerContext context) {
        context.close();
    }

    private static void closeAfter(ChannelHandlerContext context, long seconds) {
        Future<?> close =
                context.executor().schedule(() -> close(context), seconds, TimeUnit.SECONDS);
        context.channel().closeFuture().addListener(closed -> close.cancel(false));
    }

    private void checkDeadlines() {
        ChannelHandlerContext context = attached;
        Ending late = deadlines == null || endingBegun ? null : deadlines.check(System.nanoTime());
        if (late == null || context == null) {
            return;
        }
        boolean isReading = context.channel().isWritable();
        end(late);
        if (isReading) {
            flush();
        } else {
            context.close();
        }
    }
}
