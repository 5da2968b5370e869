package org.hubmark.bench.scale;

import org.hubmark.bench.hub.ServerProcess;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.ServerProcesses;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.bench.machine.cluster.CpuLimit;
import org.hubmark.bench.machine.folders.Cleanup;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.UserError;

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
 * Hosts on this machine, each a network namespace with a hub, a broker and a bookie. The queue of each
 * hub is a namespace of its own, which the broker on its host keeps. All of it is thrown away when it is
 * closed. Blocks; one thread.
 */
final class HostedHubs implements AutoCloseable {
    private static final String GROUP = "hubmark-scale-";

    private final ScaleRequest request;
    private final Path folder;
    private final ClusterProcesses cluster;
    private final List<ServerProcess> hubs = new ArrayList<>();
    private final List<CpuLimit> limits = new ArrayList<>();
    private final List<HostReading.Processes> processes = new ArrayList<>();

    private HostedHubs(ScaleRequest request, Path folder, ClusterProcesses cluster) {
        this.request = request;
        this.folder = folder;
        this.cluster = cluster;
    }

    /** {@return why there can be none on this machine, or nothing} */
    static String obstacle() throws IOException {
        String network = ClusterHosts.obstacle();
        return network.isEmpty() ? CpuLimit.obstacle() : network;
    }

    /** {@return what a cluster of so many hosts is made of} */
    static ClusterLayout layout(int hosts, Path folder) {
        return new ClusterLayout(
                hosts,
                hosts,
                List.of(folder.resolve("journal")),
                List.of(folder.resolve("ledgers")),
                true);
    }

    /**
     * Starts them, without a limit of CPU, so that it takes less time.
     *
     * @param folder of theirs alone; made, and removed when they are closed
     */
    static HostedHubs start(ScaleRequest request, int hosts, Path folder)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        HostedHubs hosted = new HostedHubs(
                request,
                folder,
                ClusterProcesses.prepare(
                        folder.resolve("cluster"), layout(hosts, folder.toRealPath())));
        boolean started = false;
        try {
            hosted.cluster.start(request.hosts().classPath(), line -> {});
            for (int host = 1; host <= hosts; host++) {
                hosted.startHub(host);
            }
            started = true;
            return hosted;
        } finally {
            if (!started) {
                // What the processes said stays where the message says that it is.
                hosted.end();
            }
        }
    }

    private void startHub(int host) throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.resolve("hub-" + host));
        ClusterHosts hosts = hosts();
        List<String> command = new ArrayList<>(hosts.prefix(host));
        command.addAll(request.program()
                .command(List.of(
                        "serve",
                        "--listen=" + hosts.address(host) + ":0",
                        "--metrics=" + hosts.address(host) + ":0",
                        // Nobody but this machine reaches it.
                        "--set=admin.remote=true",
                        "--relay-from=" + hosts.network(),
                        "--set=smtp.address.exceptions=" + hosts.network(),
                        "--deliver=discard",
                        "--tracking-volume=" + own.resolve("tracking"),
                        "--queue=" + cluster.queueOn(host, "hub-" + host))));
        ServerProcess hub = ServerProcess.launch(
                "the hub on host " + host, command, Map.of(), own.resolve("hub.log"), () -> {});
        hubs.add(hub);
        processes.add(new HostReading.Processes(
                host, hub.processId(), process("broker", host), process("bookie", host)));
    }

    private long process(String name, int host) throws IOException {
        return cluster.process(name + "-" + host)
                .map(ProcessHandle::pid)
                .orElseThrow(
                        () -> UserError.failed("the " + name + " of host " + host + " has ended"));
    }

    /** From now on each host has its share of CPU and no more. */
    void limit() throws IOException {
        for (HostReading.Processes host : processes) {
            CpuLimit limit = CpuLimit.make(
                    GROUP + ProcessHandle.current().pid() + "-" + host.host(),
                    request.hosts().cores());
            limits.add(limit);
            for (long process : List.of(host.hub(), host.broker(), host.bookie())) {
                limit.add(process);
            }
        }
    }

    /** {@return the counters of all hosts, which have their limits} */
    List<HostReading> read() throws IOException {
        List<HostReading> all = new ArrayList<>();
        for (int i = 0; i < processes.size(); i++) {
            all.add(processes.get(i).read(limits.get(i)));
        }
        return all;
    }

    /** {@return the machine, with all that is measured on it} */
    LocalMachine machine() throws IOException {
        Set<Long> all = new HashSet<>();
        for (HostReading.Processes host : processes) {
            all.addAll(List.of(host.hub(), host.broker(), host.bookie()));
        }
        cluster.process("zookeeper").ifPresent(zooKeeper -> all.add(zooKeeper.pid()));
        return new LocalMachine(new ServerProcesses(all), null, List.of());
    }

    /** {@return where the hubs take mail, in the order of the hosts} */
    List<InetSocketAddress> addresses() {
        return hubs.stream().map(ServerProcess::address).toList();
    }

    /** Fails if one of the hubs has ended. */
    void requireAlive() {
        for (ServerProcess hub : hubs) {
            String death = hub.death();
            if (death != null) {
                throw UserError.failed(death);
            }
        }
    }

    private ClusterHosts hosts() {
        return Objects.requireNonNull(cluster.hosts());
    }

    /** Kills all of it and deletes its files: its mail is nobody's. */
    @Override
    public void close() throws IOException {
        end();
        Folders.delete(folder);
    }

    private void end() throws IOException {
        Cleanup.run(() -> {
            hubs.forEach(ServerProcess::close);
            cluster.kill();
            for (CpuLimit limit : limits) {
                limit.close();
            }
        });
    }
}
