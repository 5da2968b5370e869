package org.hubmark.bench.scale;

import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.ProcessIo;
import org.hubmark.bench.machine.SeveralProcesses;
import org.hubmark.bench.machine.cluster.Cleanup;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterNetwork;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.hubmark.bench.scale.result.PricedQueue;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A hub on the machine itself whose queue is on volumes or on a cluster, which is on hosts (network
 * namespaces). All of it is thrown away when it is closed. Blocks; one thread.
 */
final class PricedHub implements AutoCloseable {
    private final Path folder;
    private final @Nullable ClusterProcesses cluster;
    private @Nullable ServerProcess hub;

    private PricedHub(Path folder, @Nullable ClusterProcesses cluster) {
        this.folder = folder;
        this.cluster = cluster;
    }

    /**
     * The counters at a moment.
     *
     * @param writtenBytes of hub and cluster
     * @param sentBytes over the links, each octet once; null without a cluster
     */
    record Reading(
            long hubCpuNanos,
            long brokerCpuNanos,
            long bookieCpuNanos,
            long writtenBytes,
            @Nullable Long sentBytes) {}

    /**
     * Starts it.
     *
     * @param folder of its own; made, and removed when it is closed
     */
    static PricedHub start(PriceRequest request, PricedQueue queue, Path folder)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path real = folder.toRealPath();
        PricedHub made = new PricedHub(
                real,
                queue.bookies() == 0
                        ? null
                        : ClusterProcesses.in(
                                real.resolve("cluster"),
                                new ClusterLayout(
                                        queue.bookies(),
                                        queue.brokers(),
                                        List.of(real.resolve("journal")),
                                        List.of(real.resolve("ledgers")),
                                        new ClusterNetwork(null, null))));
        boolean started = false;
        try {
            made.start(request);
            started = true;
            return made;
        } finally {
            if (!started) {
                // What the processes said stays where the message says that it is.
                made.end();
            }
        }
    }

    private void start(PriceRequest request) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "serve",
                "--listen=127.0.0.1:0",
                "--deliver=discard",
                "--tracking-volume=" + folder.resolve("tracking")));
        ClusterProcesses own = cluster;
        if (own == null) {
            arguments.add("--log-volume=" + folder.resolve("log"));
            arguments.add("--queue-volume=" + folder.resolve("queue"));
        } else {
            own.start(request.classPath(), line -> {});
            arguments.add("--queue=" + own.addressOfAll());
        }
        hub = ServerProcess.launch(
                "the hub",
                request.program().command(arguments),
                Map.of(),
                folder.resolve("hub.log"),
                () -> {});
    }

    InetSocketAddress address() {
        return Objects.requireNonNull(hub).address();
    }

    /** Fails if the hub has ended. */
    void requireAlive() {
        String death = Objects.requireNonNull(hub).death();
        if (death != null) {
            throw UserError.failed(death);
        }
    }

    /** {@return the machine, with all that is measured on it} */
    LocalMachine machine() throws IOException {
        Set<Long> all = new HashSet<>(hubs());
        all.addAll(brokers());
        all.addAll(bookies());
        if (cluster != null) {
            cluster.metadata().ifPresent(zooKeeper -> all.add(zooKeeper.pid()));
        }
        return new LocalMachine(new SeveralProcesses(all), null, List.of());
    }

    private Set<Long> hubs() {
        return Set.of(Objects.requireNonNull(hub).processId());
    }

    private Set<Long> brokers() throws IOException {
        Set<Long> brokers = new HashSet<>();
        for (int i = 1; cluster != null && i <= cluster.layout().brokers(); i++) {
            brokers.add(cluster.broker(i).orElseThrow(PricedHub::ended).pid());
        }
        return brokers;
    }

    private Set<Long> bookies() throws IOException {
        Set<Long> bookies = new HashSet<>();
        for (int i = 1; cluster != null && i <= cluster.layout().bookies(); i++) {
            bookies.add(cluster.bookie(i).orElseThrow(PricedHub::ended).pid());
        }
        return bookies;
    }

    Reading read() throws IOException {
        Set<Long> hubs = hubs();
        Set<Long> brokers = brokers();
        Set<Long> bookies = bookies();
        Long sent = cluster == null
                ? null
                : sent(Objects.requireNonNull(cluster.hosts()), cluster.layout().hosts());
        Set<Long> all = new HashSet<>(hubs);
        all.addAll(brokers);
        all.addAll(bookies);
        ProcessIo io = ProcessIo.of(HostFiles.HERE, all);
        if (io == null) {
            throw ended();
        }
        return new Reading(nanos(hubs), nanos(brokers), nanos(bookies), io.writtenBytes(), sent);
    }

    /** What each host has sent, and what the machine itself has. */
    private static long sent(ClusterHosts hosts, int count) throws IOException {
        long sum = hosts.machineSentBytes();
        for (int host = 1; host <= count; host++) {
            sum += hosts.sentBytes(host);
        }
        return sum;
    }

    private static long nanos(Set<Long> processes) {
        Long nanos = new SeveralProcesses(processes).nanos();
        if (nanos == null) {
            throw ended();
        }
        return nanos;
    }

    private static UserError ended() {
        return UserError.failed("a process that is measured has ended");
    }

    @Override
    public void close() throws IOException {
        end();
        Folders.delete(folder);
    }

    private void end() throws IOException {
        ServerProcess running = hub;
        Cleanup.run(() -> {
            if (running != null) {
                running.close();
            }
            if (cluster != null) {
                cluster.kill();
            }
        });
    }
}
