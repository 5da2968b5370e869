package org.hubmark.bench.durability;

import org.hubmark.bench.machine.cluster.Cleanup;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterNetwork;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A cluster of four bookies and two brokers with a hub that delivers into a folder. Hub and ZooKeeper are on the machine itself; each bookie and each broker is on a host of
 * its own (a network namespace). All of it goes when it is closed. Blocks; one thread.
 */
final class CrashedCluster implements AutoCloseable {
    /** One may go, and three copies of a message still find a place. */
    static final int BOOKIES = 4;

    private static final int BROKERS = 2;
    /** Takes what a bookie writes in a campaign, and is soon full. */
    private static final String SMALL_VOLUME = "size=768m";

    /** Name of the hub among the processes whose clock can be wrong. */
    static final String HUB = "hub";

    /** What is left of a bookie's session of 10 s (zkTimeout) at the least, between two of its pings. */
    private static final Duration SESSION_REST_MIN = Duration.ofSeconds(5);

    /** A bookie whose session had expired took 1.5 s to end, with other work on the machine. */
    private static final Duration END_MAX = Duration.ofSeconds(5);

    private static final int RESTARTS_MAX = 5;
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(1);

    private final Program program;
    private final Path folder;
    private final String classPath;
    private final ClusterProcesses cluster;
    private final Path small;
    private final boolean needsSmall;
    private boolean mounted;
    private final int port;
    /** Disks of the bookies whose power can be cut, in order; none but with the faults that cut it. */
    private final List<RecordedBookie> recorded;

    private final @Nullable SkewedClocks clocks;
    private @Nullable ServerProcess hub;
    /** Mail that was delivered is not at stake when the power goes: until the end it stays in the cluster. */
    private boolean delivers;

    private CrashedCluster(
            Program program,
            Path folder,
            String classPath,
            ClusterFault fault,
            int port,
            List<RecordedBookie> recorded)
            throws IOException {
        this.program = program;
        this.folder = folder;
        this.classPath = classPath;
        this.port = port;
        this.small = Files.createDirectories(folder.resolve("small"));
        this.needsSmall = fault == ClusterFault.FULL;
        this.recorded = recorded;
        this.delivers = recorded.isEmpty();
        this.clocks =
                fault == ClusterFault.SKEW ? new SkewedClocks(folder.resolve("clocks")) : null;
        List<Path> folders = allBookies().stream().map(this::filesOf).toList();
        this.cluster = ClusterProcesses.in(
                folder.resolve("cluster"),
                new ClusterLayout(
                        BOOKIES, BROKERS, folders, folders, new ClusterNetwork(null, null, true)));
        this.cluster.environment(this::environment);
    }

    static List<Integer> allBookies() {
        return IntStream.rangeClosed(1, BOOKIES).boxed().toList();
    }

    private Path filesOf(int bookie) {
        if (!recorded.isEmpty()) {
            return recorded.get(bookie - 1).folder();
        }
        return needsSmall && bookie == 1 ? small : folder.resolve("large");
    }

    private Map<String, String> environment(String process) {
        try {
            return clocks == null ? Map.of() : clocks.environment(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts it.
     *
     * @param folder of its own
     * @param classPath of the servers
     * @param random draws the file systems of bookies whose power is going to be cut
     */
    static CrashedCluster start(
            Program program, Path folder, String classPath, ClusterFault fault, Random random)
            throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("delivered"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path real = folder.toRealPath();
        List<RecordedBookie> recorded = new ArrayList<>();
        CrashedCluster made = null;
        boolean started = false;
        try {
            if (fault == ClusterFault.POWER || fault == ClusterFault.OUTAGE) {
                for (int bookie : allBookies()) {
                    recorded.add(RecordedBookie.create(real.resolve("disk-" + bookie), random));
                }
            }
            made = new CrashedCluster(program, real, classPath, fault, port, recorded);
            made.mountSmall();
            made.cluster.start(classPath, line -> {});
            for (RecordedBookie one : recorded) {
                one.sync();
            }
            made.startHub();
            started = true;
            return made;
        } finally {
            if (!started) {
                if (made != null) {
                    made.end();
                } else {
                    recorded.forEach(RecordedBookie::close);
                }
            }
        }
    }

    /** From now on the disks of bookies whose power is going to be cut lie about flushes. */
    void ignoreFlushes() throws IOException {
        for (RecordedBookie one : recorded) {
            one.ignoreFlushes();
        }
    }

    private void mountSmall() throws IOException {
        if (needsSmall) {
            SystemTool.run(
                    List.of("mount", "-t", "tmpfs", "-o", SMALL_VOLUME, "tmpfs", small.toString()));
            mounted = true;
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    Path delivered() {
        return folder.resolve("delivered");
    }

    /** {@return a folder with what is in the queue, a message a file, as deliveries are written} */
    Path export() throws IOException {
        Path target = folder.resolve("queue");
        var unused = SystemTool.run(program.command(List.of(
                "queue",
                "export",
                "--queue=" + cluster.addressOfAll(),
                "--set=pulsar.admin=" + cluster.admin().getFirst(),
                "--to=" + target)));
        return target;
    }

    /**
     * Starts a bookie again that ended because nothing was heard of it for longer than its session. It
     * registers itself once more before it ends.
     */
    void restartAfter(Duration silence) throws IOException, InterruptedException {
        if (silence.compareTo(SESSION_REST_MIN) >= 0) {
            Thread.sleep(END_MAX);
        }
        restart();
    }

    /**
     * Starts what has ended, as a supervisor does: once more when something ends meanwhile. A bookie ends by
     * itself when its session with ZooKeeper has expired.
     */
    void restart() throws IOException, InterruptedException {
        for (int attempt = 1; attempt < RESTARTS_MAX; attempt++) {
            try {
                cluster.start(classPath, line -> {});
                return;
            } catch (UserError e) {
                Thread.sleep(RESTART_PAUSE);
            }
        }
        cluster.start(classPath, line -> {});
    }

    /** Starts to deliver, where mail was held in the queue until now. */
    void deliver() throws IOException, InterruptedException {
        if (!delivers) {
            delivers = true;
            killHub();
            startHub();
        }
    }

    /** By SIGKILL. */
    void killHub() {
        Objects.requireNonNull(hub).close();
    }

    void startHub() throws IOException, InterruptedException {
        Path log = folder.resolve("hub.log");
        hub = ServerProcess.launch(
                "the hub",
                program.command(List.of(
                        "serve",
                        "--listen=127.0.0.1:" + port,
                        "--deliver=" + (delivers ? "directory:" + delivered() : "hold"),
                        "--tracking-volume=" + folder.resolve("tracking"),
                        "--queue=" + cluster.addressOfAll())),
                environment(HUB),
                log,
                () -> {});
    }

    /** {@return its processes but for the hub} */
    ClusterProcesses processes() {
        return cluster;
    }

    /** {@return the disk of a bookie whose power can be cut} */
    RecordedBookie disk(int bookie) {
        return recorded.get(bookie - 1);
    }

    SkewedClocks clocks() {
        return Objects.requireNonNull(clocks);
    }

    /** {@return the file system of the bookie that can run out of room} */
    Path small() {
        return small;
    }

    /** {@return where all of its files are but for those of a bookie with a disk of its own} */
    Path folder() {
        return folder;
    }

    ClusterHosts hosts() {
        return Objects.requireNonNull(cluster.hosts());
    }

    @Override
    public void close() throws IOException {
        end();
    }

    private void end() throws IOException {
        ServerProcess running = hub;
        Cleanup.run(() -> {
            try {
                if (running != null) {
                    running.close();
                }
                cluster.kill();
            } finally {
                if (mounted) {
                    SystemTool.run(List.of("umount", small.toString()));
                }
                recorded.forEach(RecordedBookie::close);
                if (clocks != null) {
                    clocks.close();
                }
            }
        });
    }
}
