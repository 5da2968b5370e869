package org.hubmark.bench.durability;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.bench.machine.folders.Cleanup;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A cluster of four bookies and two brokers with a hub that delivers into a folder. All of it goes when
 * it is closed. Blocks; one thread.
 */
final class CrashCluster implements AutoCloseable {
    /** One may go, and three copies of a message still find a place. */
    private static final int BOOKIES = 4;

    /** What is written here drops the page cache. */
    static final Path PAGE_CACHE = Path.of("/proc/sys/vm/drop_caches");

    private static final int BROKERS = 2;
    private static final int RESTARTS_MAX = 5;
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(1);

    private final Program program;
    private final Path folder;
    private final String classPath;
    private final ClusterProcesses cluster;
    private final int port;
    private @Nullable CrashServer hub;

    private CrashCluster(Program program, Path folder, String classPath, int port)
            throws IOException {
        this.program = program;
        this.folder = folder;
        this.classPath = classPath;
        this.port = port;
        List<Path> folders = List.of(folder.resolve("large"));
        this.cluster = ClusterProcesses.prepare(
                folder.resolve("cluster"),
                new ClusterLayout(BOOKIES, BROKERS, folders, folders, false));
    }

    /**
     * Starts it.
     *
     * @param folder of its own
     * @param classPath of the servers
     */
    static CrashCluster start(Program program, Path folder, String classPath)
            throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("delivered"));
        CrashCluster made =
                new CrashCluster(program, folder.toRealPath(), classPath, CommandTarget.freePort());
        boolean started = false;
        try {
            made.cluster.start(classPath, line -> {});
            made.startHub();
            started = true;
            return made;
        } finally {
            if (!started) {
                made.close();
            }
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    Path delivered() {
        return folder.resolve("delivered");
    }

    /**
     * Starts what has ended, as a supervisor does: once more when something ends meanwhile. A bookie ends by
     * itself when its session with ZooKeeper has expired.
     */
    private void restart() throws IOException, InterruptedException {
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

    /** By SIGKILL. */
    private void killHub() {
        Objects.requireNonNull(hub).close();
    }

    private void startHub() throws IOException, InterruptedException {
        hub = CrashServer.start(new CrashServer.Launch(
                program.command(List.of(
                        "serve",
                        "--listen=127.0.0.1:" + port,
                        "--deliver=directory:" + delivered(),
                        "--tracking-volume=" + folder.resolve("tracking"),
                        "--queue=" + cluster.addressOfAll())),
                Map.of(),
                address(),
                folder.resolve("hub.log")));
    }

    /**
     * Does it, and returns when all runs again.
     *
     * @param hold how long what was killed is away; a bookie half of that, all bookies not at all
     */
    void strike(ClusterFault fault, Random random, Duration hold)
            throws IOException, InterruptedException {
        int bookie = 1 + random.nextInt(BOOKIES);
        switch (fault) {
            case HUB -> {
                killHub();
                startHub();
            }
            case BROKER -> {
                kill(List.of("broker-" + cluster.keeper()));
                // Another one has to take over before it can come to its aid.
                Thread.sleep(hold);
                restart();
            }
            case BOOKIE -> {
                kill(List.of(bookie(bookie)));
                Thread.sleep(hold.dividedBy(2));
                restart();
            }
            case BOOKIES -> {
                kill(IntStream.rangeClosed(1, BOOKIES)
                        .mapToObj(CrashCluster::bookie)
                        .toList());
                // Not sync(2) before it: what was not synced is not meant to be.
                Files.writeString(PAGE_CACHE, "3");
                restart();
            }
        }
    }

    private static String bookie(int bookie) {
        return "bookie-" + bookie;
    }

    /** All at once, so that none takes the place of another. */
    private void kill(List<String> members) throws IOException {
        if (cluster.kill(members::contains) == 0) {
            throw UserError.failed(
                    "the process to be killed had already ended: " + String.join(", ", members));
        }
    }

    @Override
    public void close() throws IOException {
        CrashServer running = hub;
        Cleanup.run(() -> {
            if (running != null) {
                running.close();
            }
            cluster.kill();
        });
    }
}
