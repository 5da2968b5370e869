package org.hubmark.bench.durability;

import org.hubmark.bench.machine.cluster.ClusterMember;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.bench.machine.cluster.LinkFault;
import org.hubmark.bench.machine.cluster.LinkPackets;
import org.hubmark.bench.machine.cluster.WriteLimit;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lets parts of a cluster fail, each kind of fault in its own way. Blocks; one thread. */
final class ClusterStrikes {
    private static final int FILL_BYTES = 1 << 20;
    /** Less than a bookie gets under the load of a campaign, by far. */
    private static final long SLOW_BYTES_A_SECOND = 16 << 10;

    /** Many a message meets a loss, and TCP still gets through. */
    private static final int LOST_PERCENT = 5;

    private static final int LATE_PERCENT = 10;

    private static final String SLOW_GROUP =
            "hubmark-crash-" + ProcessHandle.current().pid();

    private final CrashedCluster crashed;
    private final ClusterProcesses cluster;
    private String part = "";

    ClusterStrikes(CrashedCluster crashed) {
        this.crashed = crashed;
        this.cluster = crashed.processes();
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
        int bookie = 1 + random.nextInt(CrashedCluster.BOOKIES);
        part = "";
        return switch (fault) {
            case HUB -> {
                crashed.killHub();
                ended.run();
                crashed.startHub();
                yield 1;
            }
            case BROKER -> {
                kill(List.of(broker(cluster.keeper())));
                // Another one has to take over before it can come to its aid.
                Thread.sleep(hold);
                ended.run();
                crashed.restart();
                yield 1;
            }
            case BOOKIE -> {
                kill(List.of(bookie(bookie)));
                Thread.sleep(hold.dividedBy(2));
                ended.run();
                crashed.restart();
                yield 1;
            }
            case BOOKIES -> {
                kill(bookies());
                // Not sync(2) before it: what was not synced is not meant to be.
                Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
                ended.run();
                crashed.restart();
                yield CrashedCluster.BOOKIES;
            }
            case METADATA -> {
                kill(List.of(ClusterProcesses.ZOOKEEPER));
                Thread.sleep(hold);
                ended.run();
                crashed.restart();
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
                crashed.restartAfter(hold);
                yield 1;
            }
            case CUT -> {
                crashed.hosts().cut(bookie);
                try {
                    Thread.sleep(hold);
                } finally {
                    crashed.hosts().join(bookie);
                }
                ended.run();
                crashed.restartAfter(hold);
                yield 1;
            }
            case MUTE -> {
                crashed.hosts().mute(bookie);
                try {
                    Thread.sleep(hold);
                } finally {
                    crashed.hosts().unmute(bookie);
                }
                ended.run();
                crashed.restartAfter(hold);
                yield 1;
            }
            case FULL -> {
                Path filler = crashed.small().resolve("filler");
                fill(filler);
                try {
                    Thread.sleep(hold);
                } finally {
                    Files.delete(filler);
                }
                ended.run();
                // It ends when its journal can't be written, and a supervisor starts it again.
                crashed.restart();
                yield 1;
            }
            case SLOW -> {
                try (WriteLimit slow =
                        WriteLimit.make(SLOW_GROUP, crashed.folder(), SLOW_BYTES_A_SECOND)) {
                    slow.add(cluster.bookie(bookie).orElseThrow().pid());
                    Thread.sleep(hold);
                }
                ended.run();
                crashed.restartAfter(hold);
                yield 1;
            }
            case HUB_BROKER -> {
                int keeper = keeper();
                LinkPackets packets = LinkPackets.fromClient(
                        crashed.hosts().address(0), cluster.brokerServer(keeper).getPort());
                yield lose(ofBroker(keeper, List.of(packets)), hold, ended);
            }
            case BROKER_BOOKIE ->
                lose(ofBroker(keeper(), List.of(toBookie(written(random)))), hold, ended);
            case BROKER_BOOKIES -> {
                List<LinkPackets> packets =
                        CrashedCluster.allBookies().stream().map(this::toBookie).toList();
                yield lose(ofBroker(keeper(), packets), hold, ended);
            }
            case BROKER_METADATA ->
                lose(ofBroker(keeper(), List.of(to(cluster.metadataServer()))), hold, ended);
            case BOOKIE_METADATA -> {
                part = bookie(bookie);
                yield lose(Map.of(bookie, List.of(to(cluster.metadataServer()))), hold, ended);
            }
            case LOSS -> lose(ofAllHosts(LinkPackets.share(LOST_PERCENT)), hold, ended);
            case REORDER -> reorder(hold, ended);
            case SKEW -> {
                List<String> members = List.of(
                        CrashedCluster.HUB,
                        broker(cluster.keeper()),
                        bookie(bookie),
                        ClusterProcesses.ZOOKEEPER);
                String member = members.get(random.nextInt(members.size()));
                Duration offset = SkewedClocks.draw(random);
                part = member + (offset.isNegative() ? " behind by " : " ahead by ")
                        + offset.abs().toSeconds() + " s";
                long looks = crashed.clocks().skew(member, offset, hold);
                ended.run();
                crashed.restartAfter(hold);
                yield looks;
            }
            case POWER -> cutPower(List.of(written(random)), random, ended);
            case OUTAGE -> cutPower(CrashedCluster.allBookies(), random, ended);
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
        part = broker(keeper);
        return keeper;
    }

    /** {@return one of the bookies that get mail now; others are as good as idle} */
    private int written(Random random) throws IOException {
        List<Integer> ensemble = cluster.ensemble();
        int bookie = ensemble.get(random.nextInt(ensemble.size()));
        part += (part.isEmpty() ? "" : " and ") + bookie(bookie);
        return bookie;
    }

    /** {@return writes that had not been flushed} */
    private long cutPower(List<Integer> disks, Random random, Runnable ended)
            throws IOException, InterruptedException {
        kill(withoutPower(disks, cluster.members()));
        long unflushed = 0;
        for (int bookie : disks) {
            unflushed += crashed.disk(bookie).cut(random);
        }
        ended.run();
        crashed.restart();
        return unflushed;
    }

    /**
     * {@return the processes that end with the power of disks} All of them with that of all disks: a broker
     * that goes on may serve what it remembers, and nobody reads what the disks have kept.
     */
    static List<String> withoutPower(List<Integer> disks, List<ClusterMember> members) {
        return disks.size() < CrashedCluster.BOOKIES
                ? disks.stream().map(ClusterStrikes::bookie).toList()
                : members.stream().map(ClusterMember::name).toList();
    }

    private long lose(Map<Integer, List<LinkPackets>> packets, Duration hold, Runnable ended)
            throws IOException, InterruptedException {
        long lost;
        try (LinkFault fault = LinkFault.lose(crashed.hosts(), packets)) {
            Thread.sleep(hold);
            lost = fault.packets();
        }
        ended.run();
        crashed.restartAfter(hold);
        return lost;
    }

    /** {@return segments that have come before their turn; a packet may be late and overtaken by none} */
    private long reorder(Duration hold, Runnable ended) throws IOException, InterruptedException {
        long before = outOfOrder();
        try (LinkFault fault =
                LinkFault.delay(crashed.hosts(), ofAllHosts(LinkPackets.share(LATE_PERCENT)))) {
            Thread.sleep(hold);
            if (fault.packets() == 0) {
                return 0;
            }
        }
        long after = outOfOrder();
        ended.run();
        crashed.restartAfter(hold);
        return after - before;
    }

    private long outOfOrder() throws IOException {
        long sum = 0;
        for (int host = 1; host <= cluster.layout().hosts(); host++) {
            sum += LinkFault.segmentsOutOfOrder(crashed.hosts(), host);
        }
        return sum;
    }

    private static List<String> bookies() {
        return CrashedCluster.allBookies().stream().map(ClusterStrikes::bookie).toList();
    }

    private static String bookie(int bookie) {
        return "bookie-" + bookie;
    }

    private static String broker(int broker) {
        return "broker-" + broker;
    }

    /** All at once, so that none takes the place of another. */
    private void kill(List<String> members) throws IOException {
        List<ProcessHandle> running = new ArrayList<>();
        for (ClusterMember member : cluster.members()) {
            if (members.contains(member.name())) {
                member.process().ifPresent(running::add);
            }
        }
        if (running.isEmpty()) {
            throw UserError.failed(
                    "what was to be killed has ended by itself: " + String.join(", ", members));
        }
        running.forEach(ProcessHandle::destroyForcibly);
        running.forEach(process -> process.onExit().join());
    }

    private static void signal(String signal, long process) throws IOException {
        SystemTool.run(List.of("kill", signal, Long.toString(process)));
    }

    private static void fill(Path file) throws IOException {
        byte[] zeros = new byte[FILL_BYTES];
        try (FileChannel out = PrivateFiles.createAnew(file)) {
            while (true) {
                out.write(ByteBuffer.wrap(zeros));
            }
        } catch (IOException full) {
            if (Files.getFileStore(file).getUsableSpace() > FILL_BYTES) {
                throw full;
            }
        }
    }
}
