package org.hubmark.bench.durability;

import org.hubmark.bench.machine.cluster.Cleanup;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterNetwork;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.bench.machine.cluster.LinkFault;
import org.hubmark.bench.machine.cluster.LinkPackets;
import org.hubmark.bench.machine.cluster.WriteLimit;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster of four bookies and two brokers with a hub that delivers into a folder, and what can be
 * done to them. Hub and ZooKeeper are on the machine itself; each bookie and each broker is on a host of
 * its own (a network namespace). All of it goes when it is closed. Blocks; one thread.
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

    /** Many a message meets a loss, and TCP still gets through. */
    private static final int LOST_PERCENT = 5;

    private static final int LATE_PERCENT = 10;
    private static final String HUB = "hub";
    private static final String BOOKIE = "bookie-";

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
    /** Disks of the bookies whose power can be cut, in order; none but with the faults that cut it. */
    private final List<RecordedBookie> recorded;

    private final @Nullable SkewedClocks clocks;
    private @Nullable ServerProcess hub;
    private String part = "";
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

    private static List<Integer> allBookies() {
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

    /**
     * Does it, and undoes it after a time; returns when all runs again.
     *
     * @param hold how long what is not a kill lasts
     * @param ended is told when it is undone, or what was killed is started again
     * @return how much it did: processes, packets, looks at a clock, or writes that were not flushed; 0 if
     *     nothing was struck
     */
    long strike(ClusterFault fault, Random random, Duration hold, Runnable ended)
            throws IOException, InterruptedException {
        int bookie = 1 + random.nextInt(BOOKIES);
        part = "";
        return switch (fault) {
            case HUB -> {
                Objects.requireNonNull(hub).close();
                ended.run();
                startHub();
                yield 1;
            }
            case BROKER -> {
                kill(cluster.broker(cluster.keeper()));
                // Another one has to take over before it can come to its aid.
                Thread.sleep(hold);
                ended.run();
                restart();
                yield 1;
            }
            case BOOKIE -> {
                kill(cluster.bookie(bookie));
                Thread.sleep(hold.dividedBy(2));
                ended.run();
                restart();
                yield 1;
            }
            case BOOKIES -> {
                killBookies(allBookies());
                // Not sync(2) before it: what was not synced is not meant to be.
                Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
                ended.run();
                restart();
                yield BOOKIES;
            }
            case METADATA -> {
                kill(cluster.metadata());
                Thread.sleep(hold);
                ended.run();
                restart();
                yield 1;
            }
            case STOP -> {
                long process = cluster.bookie(bookie).orElseThrow().pid();
                signal("-STOP", process);
                try {
                    Thread.sleep(hold);
                } finally {
                    signal("-CONT", process);
                }
                ended.run();
                restartAfter(hold);
                yield 1;
            }
            case CUT -> {
                hosts().cut(bookie);
                try {
                    Thread.sleep(hold);
                } finally {
                    hosts().join(bookie);
                }
                ended.run();
                restartAfter(hold);
                yield 1;
            }
            case MUTE -> {
                hosts().mute(bookie);
                try {
                    Thread.sleep(hold);
                } finally {
                    hosts().unmute(bookie);
                }
                ended.run();
                restartAfter(hold);
                yield 1;
            }
            case FULL -> {
                Path filler = small.resolve("filler");
                fill(filler);
                try {
                    Thread.sleep(hold);
                } finally {
                    Files.delete(filler);
                }
                ended.run();
                // It ends when its journal can't be written, and a supervisor starts it again.
                restart();
                yield 1;
            }
            case SLOW -> {
                try (WriteLimit slow = WriteLimit.make(SLOW_GROUP, folder, SLOW_BYTES_A_SECOND)) {
                    slow.add(cluster.bookie(bookie).orElseThrow().pid());
                    Thread.sleep(hold);
                }
                ended.run();
                restartAfter(hold);
                yield 1;
            }
            case HUB_BROKER -> {
                int keeper = keeper();
                LinkPackets packets = LinkPackets.fromClient(
                        hosts().address(0), cluster.brokerServer(keeper).getPort());
                yield lose(ofBroker(keeper, List.of(packets)), hold, ended);
            }
            case BROKER_BOOKIE ->
                lose(ofBroker(keeper(), List.of(toBookie(written(random)))), hold, ended);
            case BROKER_BOOKIES -> {
                List<LinkPackets> packets =
                        allBookies().stream().map(this::toBookie).toList();
                yield lose(ofBroker(keeper(), packets), hold, ended);
            }
            case BROKER_METADATA ->
                lose(ofBroker(keeper(), List.of(to(cluster.metadataServer()))), hold, ended);
            case BOOKIE_METADATA -> {
                part = BOOKIE + bookie;
                yield lose(Map.of(bookie, List.of(to(cluster.metadataServer()))), hold, ended);
            }
            case LOSS -> lose(ofAllHosts(LinkPackets.share(LOST_PERCENT)), hold, ended);
            case REORDER -> reorder(hold, ended);
            case SKEW -> {
                List<String> members = List.of(
                        HUB,
                        "broker-" + cluster.keeper(),
                        BOOKIE + bookie,
                        ClusterProcesses.ZOOKEEPER);
                String member = members.get(random.nextInt(members.size()));
                Duration offset = SkewedClocks.draw(random);
                part = member + (offset.isNegative() ? " behind by " : " ahead by ")
                        + offset.abs().toSeconds() + " s";
                long looks = Objects.requireNonNull(clocks).skew(member, offset, hold);
                ended.run();
                restartAfter(hold);
                yield looks;
            }
            case POWER -> cutPower(List.of(written(random)), random, ended);
            case OUTAGE -> cutPower(allBookies(), random, ended);
        };
    }

    private Map<Integer, List<LinkPackets>> ofBroker(int broker, List<LinkPackets> packets) {
        return Map.of(cluster.layout().brokerHost(broker), packets);
    }

    private Map<Integer, List<LinkPackets>> ofAllHosts(LinkPackets packets) {
        return IntStream.rangeClosed(1, cluster.layout().hosts())
                .boxed()
                .collect(Collectors.toMap(Function.identity(), host -> List.of(packets)));
    }

    private LinkPackets toBookie(int bookie) {
        return to(cluster.bookieServer(bookie));
    }

    private static LinkPackets to(InetSocketAddress server) {
        return LinkPackets.toServer(server.getAddress().getHostAddress(), server.getPort());
    }

    /** {@return what was struck by the last fault; empty where its kind says it} */
    String part() {
        return part;
    }

    private int keeper() throws IOException {
        int keeper = cluster.keeper();
        part = "broker-" + keeper;
        return keeper;
    }

    /** {@return one of the bookies that get mail now; others are as good as idle} */
    private int written(Random random) throws IOException {
        List<Integer> ensemble = cluster.ensemble();
        int bookie = ensemble.get(random.nextInt(ensemble.size()));
        part += (part.isEmpty() ? "" : " and ") + BOOKIE + bookie;
        return bookie;
    }

    /** {@return writes that had not been flushed} */
    private long cutPower(List<Integer> bookies, Random random, Runnable ended)
            throws IOException, InterruptedException {
        killBookies(bookies);
        long unflushed = 0;
        for (int bookie : bookies) {
            unflushed += recorded.get(bookie - 1).cut(random);
        }
        ended.run();
        restart();
        return unflushed;
    }

    private long lose(Map<Integer, List<LinkPackets>> packets, Duration hold, Runnable ended)
            throws IOException, InterruptedException {
        long lost;
        try (LinkFault fault = LinkFault.lose(hosts(), packets)) {
            Thread.sleep(hold);
            lost = fault.packets();
        }
        ended.run();
        restartAfter(hold);
        return lost;
    }

    /** {@return segments that have come before their turn; a packet may be late and overtaken by none} */
    private long reorder(Duration hold, Runnable ended) throws IOException, InterruptedException {
        long before = outOfOrder();
        try (LinkFault fault =
                LinkFault.delay(hosts(), ofAllHosts(LinkPackets.share(LATE_PERCENT)))) {
            Thread.sleep(hold);
            if (fault.packets() == 0) {
                return 0;
            }
        }
        long after = outOfOrder();
        ended.run();
        restartAfter(hold);
        return after - before;
    }

    private long outOfOrder() throws IOException {
        long sum = 0;
        for (int host = 1; host <= cluster.layout().hosts(); host++) {
            sum += LinkFault.segmentsOutOfOrder(hosts(), host);
        }
        return sum;
    }

    /** All at once, so that none takes the place of another. */
    private void killBookies(List<Integer> bookies) throws IOException {
        List<ProcessHandle> all = new ArrayList<>();
        for (int bookie : bookies) {
            cluster.bookie(bookie).ifPresent(all::add);
        }
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
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

    /** Starts to deliver, where mail was held in the queue until now. */
    void deliver() throws IOException, InterruptedException {
        if (!delivers) {
            delivers = true;
            Objects.requireNonNull(hub).close();
            startHub();
        }
    }

    private void startHub() throws IOException, InterruptedException {
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
                recorded.forEach(RecordedBookie::close);
                if (clocks != null) {
                    clocks.close();
                }
            }
        });
    }
}
