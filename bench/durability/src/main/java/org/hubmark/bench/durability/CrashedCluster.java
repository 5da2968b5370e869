package org.hubmark.bench.durability;

import org.hubmark.bench.machine.cluster.Cleanup;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterNetwork;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.bench.machine.cluster.WriteLimit;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/**
 * A cluster of four bookies and two brokers with a hub that delivers into a folder, and what can be
 * done to them. The hub is on the machine itself, bookies and brokers are on hosts (network namespaces).
 * All of it goes when it is closed. Blocks; one thread.
 */
final class CrashedCluster implements AutoCloseable {
    /** One may go, and three copies of a message still find a place. */
    static final int BOOKIES = 4;

    private static final int BROKERS = 2;
    /** Takes what a bookie writes in a campaign, and is soon full. */
    private static final String SMALL_VOLUME = "size=768m";

    private static final int FILL_BYTES = 1 << 20;
    /** Less than a bookie gets under the load of a campaign, by far. */
    private static final long SLOW_BYTES_A_SECOND = 16 << 10;

    private static final String SLOW_GROUP =
            "hubmark-crash-" + ProcessHandle.current().pid();
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
    private @Nullable ServerProcess hub;

    private CrashedCluster(
            Program program, Path folder, String classPath, ClusterFault fault, int port)
            throws IOException {
        this.program = program;
        this.folder = folder;
        this.classPath = classPath;
        this.port = port;
        this.small = Files.createDirectories(folder.resolve("small"));
        this.needsSmall = fault == ClusterFault.FULL;
        Path large = folder.resolve("large");
        Path first = needsSmall ? small : large;
        List<Path> folders = List.of(first, large, large, large);
        this.cluster = ClusterProcesses.in(
                folder.resolve("cluster"),
                new ClusterLayout(
                        BOOKIES, BROKERS, folders, folders, new ClusterNetwork(null, null)));
    }

    /**
     * Starts it.
     *
     * @param folder of its own
     * @param classPath of the servers
     */
    static CrashedCluster start(Program program, Path folder, String classPath, ClusterFault fault)
            throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("delivered"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        CrashedCluster made =
                new CrashedCluster(program, folder.toRealPath(), classPath, fault, port);
        boolean started = false;
        try {
            made.mountSmall();
            made.cluster.start(classPath, line -> {});
            made.startHub();
            started = true;
            return made;
        } finally {
            if (!started) {
                made.end();
            }
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

    /**
     * Does it, and undoes it after a time; returns when all runs again.
     *
     * @param hold how long what is not a kill lasts
     */
    void strike(ClusterFault fault, Random random, Duration hold)
            throws IOException, InterruptedException {
        int bookie = 1 + random.nextInt(BOOKIES);
        switch (fault) {
            case HUB -> {
                Objects.requireNonNull(hub).close();
                startHub();
            }
            case BROKER -> {
                kill(cluster.broker(cluster.keeper()));
                // Another one has to take over before it can come to its aid.
                Thread.sleep(hold);
                restart();
            }
            case BOOKIE -> {
                kill(cluster.bookie(bookie));
                Thread.sleep(hold.dividedBy(2));
                restart();
            }
            case BOOKIES -> {
                List<ProcessHandle> all = new ArrayList<>();
                for (int i = 1; i <= BOOKIES; i++) {
                    cluster.bookie(i).ifPresent(all::add);
                }
                all.forEach(ProcessHandle::destroyForcibly);
                all.forEach(process -> process.onExit().join());
                // Not sync(2) before it: what was not synced is not meant to be.
                Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
                restart();
            }
            case METADATA -> {
                kill(cluster.metadata());
                Thread.sleep(hold);
                restart();
            }
            case STOP -> {
                long process = cluster.bookie(bookie).orElseThrow().pid();
                signal("-STOP", process);
                try {
                    Thread.sleep(hold);
                } finally {
                    signal("-CONT", process);
                }
                restartAfter(hold);
            }
            case CUT -> {
                hosts().cut(bookie);
                try {
                    Thread.sleep(hold);
                } finally {
                    hosts().join(bookie);
                }
                restartAfter(hold);
            }
            case MUTE -> {
                hosts().mute(bookie);
                try {
                    Thread.sleep(hold);
                } finally {
                    hosts().unmute(bookie);
                }
                restartAfter(hold);
            }
            case FULL -> {
                Path filler = small.resolve("filler");
                fill(filler);
                try {
                    Thread.sleep(hold);
                } finally {
                    Files.delete(filler);
                }
                // It ends when its journal can't be written, and a supervisor starts it again.
                restart();
            }
            case SLOW -> {
                try (WriteLimit slow = WriteLimit.make(SLOW_GROUP, folder, SLOW_BYTES_A_SECOND)) {
                    slow.add(cluster.bookie(bookie).orElseThrow().pid());
                    Thread.sleep(hold);
                }
                restartAfter(hold);
            }
        }
    }

    /**
     * Starts a bookie again that ended because nothing was heard of it for longer than its session. It
     * registers itself once more before it ends.
     */
    private void restartAfter(Duration silence) throws IOException, InterruptedException {
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

    private void startHub() throws IOException, InterruptedException {
        Path log = folder.resolve("hub.log");
        hub = ServerProcess.launch(
                "the hub",
                program.command(List.of(
                        "serve",
                        "--listen=127.0.0.1:" + port,
                        "--deliver=directory:" + delivered(),
                        "--tracking-volume=" + folder.resolve("tracking"),
                        "--queue=" + cluster.addressOfAll())),
                Map.of(),
                log,
                () -> {});
    }

    private static void kill(Optional<ProcessHandle> process) {
        if (process.isEmpty()) {
            throw UserError.failed("the process to be killed has ended by itself");
        }
        process.get().destroyForcibly();
        process.get().onExit().join();
    }

    private static void signal(String signal, long process) throws IOException {
        SystemTool.run(List.of("kill", signal, Long.toString(process)));
    }

    private static void fill(Path file) throws IOException {
        byte[] zeros = new byte[FILL_BYTES];
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (true) {
                out.write(ByteBuffer.wrap(zeros));
            }
        } catch (IOException full) {
            if (Files.getFileStore(file).getUsableSpace() > FILL_BYTES) {
                throw full;
            }
        }
    }

    private ClusterHosts hosts() {
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
            }
        });
    }
}
