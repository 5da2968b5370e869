package org.hubmark.bench.durability;

import org.hubmark.bench.machine.cluster.ClusterMember;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Kills parts of a cluster, each kind of fault in its own way. Blocks; one thread. */
final class ClusterStrikes {
    private final CrashedCluster crashed;
    private final ClusterProcesses cluster;

    ClusterStrikes(CrashedCluster crashed) {
        this.crashed = crashed;
        this.cluster = crashed.processes();
    }

    /**
     * Does it, and returns when all runs again.
     *
     * @param hold how long what was killed is away; a bookie half of that, all bookies not at all
     */
    void strike(ClusterFault fault, Random random, Duration hold)
            throws IOException, InterruptedException {
        int bookie = 1 + random.nextInt(CrashedCluster.BOOKIES);
        switch (fault) {
            case HUB -> {
                crashed.killHub();
                crashed.startHub();
            }
            case BROKER -> {
                kill(List.of("broker-" + cluster.keeper()));
                // Another one has to take over before it can come to its aid.
                Thread.sleep(hold);
                crashed.restart();
            }
            case BOOKIE -> {
                kill(List.of(bookie(bookie)));
                Thread.sleep(hold.dividedBy(2));
                crashed.restart();
            }
            case BOOKIES -> {
                kill(IntStream.rangeClosed(1, CrashedCluster.BOOKIES)
                        .mapToObj(ClusterStrikes::bookie)
                        .toList());
                // Not sync(2) before it: what was not synced is not meant to be.
                Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
                crashed.restart();
            }
        }
    }

    private static String bookie(int bookie) {
        return "bookie-" + bookie;
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
}
