package org.hubmark.bench.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One connection of the driver: at most one message at a time is under way on it. When it breaks it
 * is made again. Lives on its lane's event loop.
 */
final class LoadConnection {
    private static final long BACKOFF_MILLIS_MIN = 50;
    private static final long BACKOFF_MILLIS_MAX = 2_000;

    /** The reply that comes next. */
    private enum Await {
        CONNECTION,
        GREETING,
        EHLO,
        STARTTLS,
        HANDSHAKE,
        AUTH,
        NOTHING,
        MAIL,
        RCPT,
        DATA,
        CONTENT,
        RSET,
        QUIT
    }

    private final Lane lane;
    private final Bootstrap bootstrap;
    private final boolean pipelining;
    /** Shows who sends: a command and answers; empty where nobody is asked. */
    private final List<ByteBuf> login;

    private final Runnable firstReady;
    private @Nullable SmtpChannel channel;
    private Await await = Await.CONNECTION;
    private long backoffMillis = BACKOFF_MILLIS_MIN;
    private boolean wasReady;
    private boolean secure;
    private int loginSaid;
    private boolean ended;
    private long sentHere;
    private long freeSinceNanos;
    private @Nullable WireMessage message;
    private long number;
    private long dueNanos;
    private long sentNanos;
    private boolean refused;
    private boolean counted;
    private int recipientsAnswered;

    /** Makes a connection object; {@link #connect} makes the connection. */
    LoadConnection(
            Lane lane,
            Bootstrap bootstrap,
            boolean pipelining,
            List<ByteBuf> login,
            Runnable firstReady) {
        this.lane = lane;
        this.bootstrap = bootstrap.clone(lane.loop);
        this.pipelining = pipelining;
        this.login = login;
        this.firstReady = firstReady;
    }

    void connect() {
        await = Await.GREETING;
        secure = false;
        loginSaid = 0;
        sentHere = 0;
        SmtpChannel attempt = new SmtpChannel(this);
        channel = attempt;
        attempt.connect(bootstrap);
    }

    /** {@return since when it could have sent: the intended start in a closed loop} */
    long freeSince(long nowNanos) {
        return freeSinceNanos == 0 ? nowNanos : freeSinceNanos;
    }

    /** Sends a message now that was due at that time. */
    void send(long sequence, WireMessage next, long due, long now) {
        message = next;
        number = sequence;
        dueNanos = due;
        sentNanos = now;
        refused = false;
        counted = false;
        recipientsAnswered = 0;
        sentHere++;
        lane.sent.increment();
        await = Await.MAIL;
        SmtpChannel to = channel();
        if (!pipelining) {
            to.flush(next.mail());
            return;
        }
        to.write(next.envelope());
        if (lane.plan.dialogue().transfer() == Transfer.BDAT) {
            writeContent(next);
        }
        to.flush();
    }

    /**
     * Records how old the message under way is, whose latency then counts no more.
     *
     * @return whether there is one
     */
    boolean age(long nowNanos, Histogram intended, Histogram actual) {
        if (message == null) {
            return false;
        }
        counted = true;
        Lane.record(intended, nowNanos - dueNanos);
        Lane.record(actual, nowNanos - sentNanos);
        return true;
    }

    /** Ends the session; for good when the lane is stopping. */
    void quit() {
        await = Await.QUIT;
        channel().say(SmtpChannel.QUIT);
    }

    /** Ends without manners. What is under way has failed. */
    void abort() {
        if (channel != null) {
            channel.close();
        }
        gone();
    }

    /** {@return whether it uses that channel, or tries to} */
    boolean isOn(SmtpChannel other) {
        return other.equals(channel);
    }

    /** {@return whether the text of the reply that comes next is needed even if it refuses nothing} */
    boolean needsText() {
        return await == Await.CONTENT && lane.audited != null;
    }

    /** A reply came. */
    void reply(int code) {
        if (code >= 400 && lane.firstRefusal == null) {
            lane.firstRefusal = channel().replyText();
        }
        if (code == 421) {
            // RFC 5321 3.8: the server closes; what is under way was refused.
            refused = true;
            channel().close();
            return;
        }
        switch (await) {
            case GREETING -> proceed(code == 220, Await.EHLO, SmtpChannel.EHLO);
            case EHLO -> {
                if (code != 250) {
                    channel().close();
                    return;
                }
                if (lane.plan.dialogue().tls() != null && !secure) {
                    proceed(true, Await.STARTTLS, SmtpChannel.STARTTLS);
                } else if (login.isEmpty()) {
                    established();
                } else {
                    proceed(true, Await.AUTH, login.get(loginSaid++));
                }
            }
            case AUTH -> authReply(code);
            case STARTTLS -> startTls(code);
            case MAIL -> mailReply(code);
            case RCPT -> rcptReply(code);
            case DATA -> dataReply(code);
            case CONTENT -> contentReply(code);
            case RSET -> end(false);
            case QUIT, NOTHING, CONNECTION, HANDSHAKE -> channel().close();
        }
    }

    private void proceed(boolean ok, Await next, ByteBuf command) {
        if (ok) {
            await = next;
            channel().say(command);
        } else {
            channel().close();
        }
    }

    /** RFC 4954 4: 334 waits for the next answer, 235 has seen enough. */
    private void authReply(int code) {
        if (code == 235) {
            established();
        } else {
            boolean more = code == 334 && loginSaid < login.size();
            proceed(more, Await.AUTH, more ? login.get(loginSaid++) : SmtpChannel.QUIT);
        }
    }

    private void established() {
        backoffMillis = BACKOFF_MILLIS_MIN;
        if (!wasReady) {
            wasReady = true;
            firstReady.run();
        }
        ready();
    }

    private void startTls(int code) {
        ClientTls tls = lane.plan.dialogue().tls();
        if (code != 220 || tls == null) {
            channel().close();
            return;
        }
        await = Await.HANDSHAKE;
        secure = true;
        channel().startTls(tls, lane.plan.target());
    }

    /** The handshake is over. */
    void secured(boolean success) {
        if (await == Await.HANDSHAKE) {
            proceed(success, Await.EHLO, SmtpChannel.EHLO);
        }
    }

    private void mailReply(int code) {
        refused = code >= 300;
        if (pipelining) {
            await = Await.RCPT;
        } else if (refused) {
            end(false);
        } else {
            await = Await.RCPT;
            channel().flush(underWay().rcpt(0));
        }
    }

    private void rcptReply(int code) {
        refused |= code >= 300;
        boolean last = ++recipientsAnswered == lane.plan.addresses().recipients();
        if (pipelining) {
            if (!last) {
                return;
            }
            await = lane.plan.dialogue().transfer() == Transfer.DATA ? Await.DATA : Await.CONTENT;
        } else if (refused) {
            reset();
        } else if (!last) {
            channel().flush(underWay().rcpt(recipientsAnswered));
        } else if (lane.plan.dialogue().transfer() == Transfer.DATA) {
            await = Await.DATA;
            channel().flush(underWay().data());
        } else {
            await = Await.CONTENT;
            channel().write(underWay().data());
            writeContent(underWay());
            channel().flush();
        }
    }

    private void dataReply(int code) {
        if (code != 354) {
            refused = true;
            reset();
            return;
        }
        await = Await.CONTENT;
        if (refused) {
            // The server takes DATA without a recipient: give it an empty message, which we don't
            // count.
            channel().say(SmtpChannel.NOTHING);
        } else {
            writeContent(underWay());
            channel().flush();
        }
    }

    private void contentReply(int code) {
        boolean accepted = code >= 200 && code < 300 && !refused;
        if (!accepted && lane.plan.dialogue().transfer() == Transfer.BDAT) {
            refused = true;
            reset();
        } else {
            end(accepted);
        }
    }

    private void writeContent(WireMessage content) {
        channel().writeContent(content, number, lane.messages.random(number));
    }

    private void reset() {
        await = Await.RSET;
        channel().say(SmtpChannel.RSET);
    }

    private void end(boolean accepted) {
        long nowNanos = System.nanoTime();
        if (accepted) {
            if (!counted) {
                Lane.record(lane.latencies, nowNanos - dueNanos);
                Lane.record(lane.uncorrected, nowNanos - sentNanos);
            }
            lane.acceptedBytes.add(underWay().contentBytes());
            lane.accepted.increment();
            AcceptedMail audited = lane.audited;
            if (audited != null) {
                long random = lane.messages.random(number);
                audited.add(channel().queueId(), underWay(), number, random);
            }
        } else {
            lane.refused.increment();
        }
        message = null;
        freeSinceNanos = nowNanos;
        if (lane.plan.messagesPerConnection() > 0
                && sentHere >= lane.plan.messagesPerConnection()) {
            quit();
        } else {
            ready();
        }
    }

    private void ready() {
        await = Await.NOTHING;
        lane.ready(this);
    }

    private WireMessage underWay() {
        WireMessage current = message;
        if (current == null) {
            throw new IllegalStateException("no message is under way");
        }
        return current;
    }

    private SmtpChannel channel() {
        SmtpChannel current = channel;
        if (current == null) {
            throw new IllegalStateException("not connected");
        }
        return current;
    }

    /** The connection has ended, or could not be made. */
    void gone() {
        if (ended || await == Await.CONNECTION) {
            return;
        }
        Await was = await;
        await = Await.CONNECTION;
        channel = null;
        if (message != null) {
            message = null;
            freeSinceNanos = System.nanoTime();
            if (refused) {
                // A server may say 421 or 5xx and hang up: that is an answer.
                lane.refused.increment();
            } else {
                lane.failed.increment();
            }
        } else if (was != Await.QUIT) {
            lane.connectionFailures.increment();
        }
        lane.notReady(this);
        if (lane.stopping()) {
            ended = true;
            lane.closed();
        } else if (was == Await.QUIT) {
            connect();
        } else {
            var unused = lane.loop.schedule(this::reconnect, backoffMillis, TimeUnit.MILLISECONDS);
            backoffMillis = Math.min(backoffMillis * 2, BACKOFF_MILLIS_MAX);
        }
    }

    private void reconnect() {
        if (ended) {
            return;
        }
        if (lane.stopping()) {
            ended = true;
            lane.closed();
        } else {
            connect();
        }
    }
}
