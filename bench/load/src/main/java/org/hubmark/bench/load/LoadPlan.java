package org.hubmark.bench.load;

import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What the driver is to do.
 *
 * @param target the server
 * @param connections open at once
 * @param threads event loops
 * @param pace over all connections
 * @param messagesPerConnection then the connection is closed and opened again; 0 for no limit
 * @param messagesMax the driver stops by itself after so many; 0 for no limit
 * @param dialogue how each connection speaks to the server
 * @param addresses from and to whom each message is
 */
public record LoadPlan(
        InetSocketAddress target,
        int connections,
        int threads,
        Pace pace,
        long messagesPerConnection,
        long messagesMax,
        Dialogue dialogue,
        Addresses addresses) {
    /** Descriptors that the driver needs besides its connections. */
    private static final int FILES_RESERVED = 128;

    /** Checks the numbers. */
    public LoadPlan {
        if (connections < 1 || threads < 1 || messagesPerConnection < 0 || messagesMax < 0) {
            throw new IllegalArgumentException("a load plan needs a connection and a thread");
        }
    }

    /**
     * How a connection speaks.
     *
     * @param transfer how content travels
     * @param pipelining whether the envelope goes in one write where the server announces PIPELINING
     *     (RFC 2920)
     * @param tls begun by STARTTLS, or null for plain text
     * @param auth who it says it is, or null for nobody; for this target alone
     */
    public record Dialogue(
            Transfer transfer,
            boolean pipelining,
            @Nullable ClientTls tls,
            @Nullable ClientAuth auth) {
        private Dialogue as(@Nullable ClientTls otherTls, @Nullable ClientAuth otherAuth) {
            return new Dialogue(transfer, pipelining, otherTls, otherAuth);
        }
    }

    /**
     * The envelope of each message.
     *
     * @param sender the reverse-path, without angle brackets
     * @param recipient the first forward-path, without angle brackets
     * @param recipients how many; from the second on, the local part ends with -2, -3, ...
     */
    public record Addresses(String sender, String recipient, int recipients) {
        /** Checks the number. */
        public Addresses {
            if (recipients < 1) {
                throw new IllegalArgumentException("a message needs a recipient");
            }
        }

        /** {@return all forward-paths} */
        List<String> forwardPaths() {
            List<String> paths = new ArrayList<>();
            int at = recipient.lastIndexOf('@');
            int domain = at < 0 ? recipient.length() : at;
            for (int i = 1; i <= recipients; i++) {
                paths.add(recipient.substring(0, domain)
                        + (i == 1 ? "" : "-" + i)
                        + recipient.substring(domain));
            }
            return paths;
        }
    }

    /** {@return a load by one thread without limits, in plain text, with pipelining, for one recipient} */
    public static LoadPlan of(
            InetSocketAddress target,
            int connections,
            Pace pace,
            Transfer transfer,
            String sender,
            String recipient) {
        return new LoadPlan(
                target,
                connections,
                1,
                pace,
                0,
                0,
                new Dialogue(transfer, true, null, null),
                new Addresses(sender, recipient, 1));
    }

    /** {@return the same load for another server, which is not told who sends it} */
    public LoadPlan at(InetSocketAddress server) {
        return with(
                server,
                threads,
                pace,
                dialogue.as(dialogue.tls(), server.equals(target) ? dialogue.auth() : null));
    }

    /** {@return the same load at another pace} */
    public LoadPlan at(Pace other) {
        return with(target, threads, other, dialogue);
    }

    /** {@return the same load by TLS of that kind, or in the clear where it is null} */
    public LoadPlan by(@Nullable ClientTls other) {
        return with(target, threads, pace, dialogue.as(other, dialogue.auth()));
    }

    /** {@return the same load by so many event loops} */
    public LoadPlan on(int eventLoops) {
        return with(target, eventLoops, pace, dialogue);
    }

    /** {@return the same load, which doesn't stop by itself} */
    public LoadPlan unlimited() {
        return limited(connections, 0);
    }

    /** {@return the same load by other connections, which stops by itself after so many messages} */
    public LoadPlan limited(int others, long messages) {
        return new LoadPlan(
                target,
                others,
                threads,
                pace,
                messagesPerConnection,
                messages,
                dialogue,
                addresses);
    }

    private LoadPlan with(InetSocketAddress server, int eventLoops, Pace at, Dialogue speech) {
        return new LoadPlan(
                server,
                connections,
                eventLoops,
                at,
                messagesPerConnection,
                messagesMax,
                speech,
                addresses);
    }

    /** Fails if this process may not have as many open files as there are connections. */
    public void requireFiles() {
        long allowed = FileErrors.descriptorsMax();
        long most = allowed - FILES_RESERVED;
        if (connections > most) {
            throw UserError.usage("--connections " + connections
                    + " needs more open files than this process may have (" + allowed + "): "
                    + (most < 1 ? "" : "at most " + most + ", or ") + "ulimit -n "
                    + (connections + FILES_RESERVED));
        }
    }

    /** {@return the target as HOST:PORT} */
    public String targetText() {
        return target.getHostString() + ":" + target.getPort();
    }
}
