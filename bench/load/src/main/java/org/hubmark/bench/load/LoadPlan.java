package org.hubmark.bench.load;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What the driver is to do.
 *
 * @param target the server
 * @param connections open at once
 * @param pace over all connections
 * @param transfer how content travels
 * @param pipelining whether the envelope goes in one write where the server announces PIPELINING
 *     (RFC 2920)
 * @param messagesPerConnection then the connection is closed and opened again; 0 for no limit
 * @param messagesMax the driver stops by itself after so many; 0 for no limit
 * @param threads event loops
 * @param sender the reverse-path, without angle brackets
 * @param recipient the first forward-path, without angle brackets
 * @param recipients of each message; from the second on, the local part ends with -2, -3, ...
 * @param tls begun by STARTTLS on each connection, or null for plain text
 * @param auth who each connection says it is, or null for nobody; for this target alone
 */
public record LoadPlan(
        InetSocketAddress target,
        int connections,
        Pace pace,
        Transfer transfer,
        boolean pipelining,
        long messagesPerConnection,
        long messagesMax,
        int threads,
        String sender,
        String recipient,
        int recipients,
        @Nullable ClientTls tls,
        @Nullable ClientAuth auth) {
    /** Descriptors that the driver needs besides its connections. */
    private static final int FILES_RESERVED = 64;

    /** Checks the numbers. */
    public LoadPlan {
        if (connections < 1
                || threads < 1
                || recipients < 1
                || messagesPerConnection < 0
                || messagesMax < 0) {
            throw new IllegalArgumentException(
                    "a load plan needs a connection, a recipient and a thread");
        }
    }

    /** A plan without TLS, for nobody in particular. */
    public LoadPlan(
            InetSocketAddress target,
            int connections,
            Pace pace,
            Transfer transfer,
            boolean pipelining,
            long messagesPerConnection,
            long messagesMax,
            int threads,
            String sender,
            String recipient,
            int recipients) {
        this(
                target,
                connections,
                pace,
                transfer,
                pipelining,
                messagesPerConnection,
                messagesMax,
                threads,
                sender,
                recipient,
                recipients,
                null,
                null);
    }

    /** {@return all forward-paths} */
    List<String> forwardPaths() {
        List<String> paths = new ArrayList<>();
        int domain =
                recipient.lastIndexOf('@') < 0 ? recipient.length() : recipient.lastIndexOf('@');
        for (int i = 1; i <= recipients; i++) {
            paths.add(recipient.substring(0, domain)
                    + (i == 1 ? "" : "-" + i)
                    + recipient.substring(domain));
        }
        return paths;
    }

    /** {@return messages a second over all connections on the average, or null in a closed loop} */
    public @Nullable Double ratePerSecond() {
        return pace.ratePerSecond();
    }

    /** {@return the same load for another server, which is not told who sends it} */
    public LoadPlan at(InetSocketAddress server) {
        return copy(server, pace, transfer, messagesMax);
    }

    /** {@return the same load at another pace} */
    public LoadPlan at(Pace other) {
        return copy(target, other, transfer, messagesMax);
    }

    /** {@return the same load by another transfer} */
    public LoadPlan by(Transfer other) {
        return copy(target, pace, other, messagesMax);
    }

    /** {@return the same load by TLS of that kind, or in the clear where it is null} */
    public LoadPlan by(@Nullable ClientTls other) {
        return copy(target, connections, pace, transfer, messagesMax, other);
    }

    /** {@return the same load, which doesn't stop by itself} */
    public LoadPlan unlimited() {
        return copy(target, pace, transfer, 0);
    }

    /** {@return the same load by other connections, which stops by itself after so many messages} */
    public LoadPlan limited(int others, long messages) {
        return copy(target, others, pace, transfer, messages);
    }

    private LoadPlan copy(InetSocketAddress server, Pace at, Transfer by, long max) {
        return copy(server, connections, at, by, max);
    }

    private LoadPlan copy(InetSocketAddress server, int count, Pace at, Transfer by, long max) {
        return copy(server, count, at, by, max, tls);
    }

    private LoadPlan copy(
            InetSocketAddress server,
            int count,
            Pace at,
            Transfer by,
            long max,
            @Nullable ClientTls secured) {
        return new LoadPlan(
                server,
                count,
                at,
                by,
                pipelining,
                messagesPerConnection,
                max,
                threads,
                sender,
                recipient,
                recipients,
                secured,
                server.equals(target) ? auth : null);
    }

    /** Fails if this process may not have as many open files as there are connections. */
    public void requireFiles() {
        if (ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.UnixOperatingSystemMXBean system
                && connections > system.getMaxFileDescriptorCount() - FILES_RESERVED) {
            throw UserError.usage("--connections " + connections
                    + " needs more open files than this process may have ("
                    + system.getMaxFileDescriptorCount() + "): at most "
                    + (system.getMaxFileDescriptorCount() - FILES_RESERVED)
                    + ", or raise ulimit -n");
        }
    }

    /** {@return the target as HOST:PORT} */
    public String targetText() {
        return target.getHostString() + ":" + target.getPort();
    }
}
