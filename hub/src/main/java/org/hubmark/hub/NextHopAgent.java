package org.hubmark.hub;

import org.hubmark.core.BodyType;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Delivers to one next hop by SMTP or LMTP, over connections that are kept and used again, with
 * pipelining where the next hop has it (RFC 2920). Delivery threads call, each with a connection of
 * its own; the idle ones are under this object's lock.
 *
 * <p>A message has one outcome. If the next hop takes it for some recipients and defers others, who
 * has it is remembered, so that the next attempt is for the rest alone; a restart forgets it, and then
 * they get the message twice.
 */
final class NextHopAgent implements DeliveryAgent {
    private static final int REMEMBERED_MAX = 10_000;

    private final DeliverySpec.NextHop hop;
    private final String hostName;
    private final NextHopConnection.Timeouts timeouts;
    private final ScheduledThreadPoolExecutor timer;
    private final ArrayDeque<NextHopConnection> idle = new ArrayDeque<>();
    private final Map<QueueId, Set<String>> served = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<QueueId, Set<String>> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };
    private boolean closed;

    /**
     * Makes an agent without a connection.
     *
     * @param hostName what it calls itself in EHLO
     */
    NextHopAgent(DeliverySpec.NextHop hop, String hostName, NextHopConnection.Timeouts timeouts) {
        this.hop = hop;
        this.timeouts = timeouts;
        this.hostName = hostName;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "next-hop-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /** What the next hop said about the recipients of one message. */
    private static final class Answers {
        private final Set<String> delivered = new HashSet<>();
        private NextHopConnection.@Nullable Reply permanent;
        private NextHopConnection.@Nullable Reply transientOne;

        void refused(NextHopConnection.Reply reply) {
            if (reply.isPermanent()) {
                permanent = permanent == null ? reply : permanent;
            } else {
                transientOne = transientOne == null ? reply : transientOne;
            }
        }
    }

    @Override
    public Outcome deliver(Lease lease) {
        List<String> recipients = recipients(lease);
        try {
            return deliver(lease, recipients);
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            return new Outcome.Deferred(hop + ": " + why);
        }
    }

    /** Ends the idle connections. */
    @Override
    public void close() {
        List<NextHopConnection> ending;
        synchronized (this) {
            closed = true;
            ending = List.copyOf(idle);
            idle.clear();
        }
        ending.forEach(NextHopConnection::quit);
        timer.shutdownNow();
    }

    private Outcome deliver(Lease lease, List<String> recipients) throws IOException {
        NextHopConnection kept = takeIdle();
        if (kept != null) {
            try {
                return deliver(kept, lease, recipients);
            } catch (StaleException e) {
                // It was closed while it was idle, which is no reason to defer anything.
                kept.close();
            }
        }
        try {
            return deliver(
                    NextHopConnection.open(hop, hostName, timeouts, timer), lease, recipients);
        } catch (StaleException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** A connection ended before it answered anything to a message. */
    private static final class StaleException extends Exception {
        private static final long serialVersionUID = 1L;

        StaleException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private Outcome deliver(NextHopConnection connection, Lease lease, List<String> recipients)
            throws IOException, StaleException {
        boolean reusable = false;
        try {
            String unfit = unfit(connection, lease);
            if (unfit != null) {
                reusable = true;
                return new Outcome.Undeliverable(hop + ": " + unfit);
            }
            Answers answers = new Answers();
            reusable = transact(connection, lease, recipients, answers);
            return outcome(lease, answers);
        } finally {
            if (reusable) {
                putIdle(connection);
            } else {
                connection.close();
            }
        }
    }

    private static @Nullable String unfit(NextHopConnection connection, Lease lease) {
        return switch (lease.envelope().bodyType()) {
            case SEVEN_BIT -> null;
            case EIGHT_BIT_MIME ->
                connection.has("8BITMIME") ? null : "5.6.3 it does not take 8BITMIME";
            case BINARY_MIME -> "5.6.1 binary content can't be passed on yet";
        };
    }

    /** {@return whether the connection can be used again} */
    private boolean transact(
            NextHopConnection connection, Lease lease, List<String> recipients, Answers answers)
            throws IOException, StaleException {
        boolean pipelines = connection.has("PIPELINING");
        // With one recipient nothing is lost by asking for DATA before the answer to RCPT.
        boolean dataAtOnce = pipelines && recipients.size() == 1;
        connection.write(mail(connection, lease));
        if (pipelines) {
            for (String recipient : recipients) {
                connection.write("RCPT TO:<" + recipient + ">");
            }
        }
        if (dataAtOnce) {
            connection.write("DATA");
        }
        NextHopConnection.Reply mailReply = firstReply(connection);
        Set<String> accepted = new HashSet<>();
        if (!mailReply.isPositive() && !pipelines) {
            answers.refused(mailReply);
            return reset(connection, mailReply);
        }
        for (String recipient : recipients) {
            if (!pipelines) {
                connection.write("RCPT TO:<" + recipient + ">");
            }
            NextHopConnection.Reply reply = connection.reply();
            if (reply.isPositive() && mailReply.isPositive()) {
                accepted.add(recipient);
            } else {
                answers.refused(mailReply.isPositive() ? reply : mailReply);
            }
        }
        if (accepted.isEmpty() && !dataAtOnce) {
            return reset(connection, mailReply);
        }
        if (!dataAtOnce) {
            connection.write("DATA");
        }
        return data(connection, lease, recipients, accepted, answers);
    }

    private boolean data(
            NextHopConnection connection,
            Lease lease,
            List<String> recipients,
            Set<String> accepted,
            Answers answers)
            throws IOException {
        NextHopConnection.Reply go = connection.replyToData();
        if (go.code() != 354) {
            if (!accepted.isEmpty()) {
                answers.refused(go);
            }
            return reset(connection, go);
        }
        if (accepted.isEmpty()) {
            // RFC 2920 3.1: it wants content that nobody is to have.
            connection.write(".");
            connection.replyToEnd();
            return reset(connection, go);
        }
        try (InputStream content = open(lease)) {
            connection.writeContent(content);
        }
        boolean lmtp = hop.protocol() == DeliverySpec.NextHop.Protocol.LMTP;
        NextHopConnection.Reply end = null;
        for (String recipient : recipients) {
            if (accepted.contains(recipient)) {
                // LMTP answers for each recipient that it has accepted, in their order (RFC 2033).
                end = end == null || lmtp ? connection.replyToEnd() : end;
                if (end.isPositive()) {
                    answers.delivered.add(recipient);
                } else {
                    answers.refused(end);
                }
            }
        }
        return end != null && end.code() != 421;
    }

    private Outcome outcome(Lease lease, Answers answers) {
        NextHopConnection.Reply later = answers.transientOne;
        NextHopConnection.Reply never = answers.permanent;
        if (later != null) {
            if (!answers.delivered.isEmpty()) {
                remember(lease.id(), answers.delivered);
            }
            return new Outcome.Deferred(hop + ": " + line(later));
        }
        forget(lease.id());
        return never == null
                ? new Outcome.Delivered()
                : new Outcome.Undeliverable(hop + ": " + line(never));
    }

    private static String line(NextHopConnection.Reply reply) {
        return reply.toString().replace('\n', ' ');
    }

    private static String mail(NextHopConnection connection, Lease lease) {
        StringBuilder mail = new StringBuilder("MAIL FROM:<")
                .append(lease.envelope().reversePath())
                .append('>');
        if (connection.has("SIZE")) {
            mail.append(" SIZE=").append(lease.sizeBytes());
        }
        if (lease.envelope().bodyType() == BodyType.EIGHT_BIT_MIME) {
            mail.append(" BODY=8BITMIME");
        }
        return mail.toString();
    }

    private static NextHopConnection.Reply firstReply(NextHopConnection connection)
            throws StaleException, IOException {
        try {
            return connection.reply();
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            throw new StaleException(e);
        }
    }

    private static boolean reset(NextHopConnection connection, NextHopConnection.Reply reply)
            throws IOException {
        if (reply.code() == 421) {
            return false;
        }
        connection.write("RSET");
        return connection.reply().isPositive();
    }

    private synchronized @Nullable NextHopConnection takeIdle() {
        return idle.pollLast();
    }

    private synchronized void putIdle(NextHopConnection connection) {
        if (closed) {
            connection.quit();
        } else {
            // As many as there are delivery threads at most.
            idle.add(connection);
        }
    }

    private synchronized List<String> recipients(Lease lease) {
        Set<String> done = served.getOrDefault(lease.id(), Set.of());
        return lease.envelope().forwardPaths().stream()
                .filter(recipient -> !done.contains(recipient))
                .toList();
    }

    private synchronized void remember(QueueId id, Set<String> delivered) {
        served.computeIfAbsent(id, absent -> new HashSet<>()).addAll(delivered);
    }

    private synchronized void forget(QueueId id) {
        served.remove(id);
    }

    private static InputStream open(Lease lease) {
        try {
            return lease.openContent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
