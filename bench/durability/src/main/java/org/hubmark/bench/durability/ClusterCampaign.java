package org.hubmark.bench.durability;

import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.WriteLimit;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Lets parts of a cluster fail under load, and looks whether all that was acknowledged is delivered. Each
 * kind of fault has a cluster of its own, and as many faults as are asked for, one after the other; mail
 * has to be accepted again after each. Then the load ends, and what was acknowledged is waited for.
 * Blocks; one thread.
 */
public final class ClusterCampaign implements Study {
    private static final Duration POLL = Duration.ofMillis(200);
    /** Enough that a fault finds mail under way. */
    private static final long BETWEEN_MSGS = 50;

    private static final Duration ACCEPTED_MAX = Duration.ofMinutes(2);
    /** Without a delivery for so long nothing more is to be expected: leases and timeouts are shorter. */
    private static final Duration QUIET_MAX = Duration.ofSeconds(60);

    private final Request request;
    private final Program program;

    /**
     * What is asked for.
     *
     * @param crashes of each kind
     * @param hold how long a fault lasts that ends by itself
     * @param firstHold the same of the first one of each kind
     * @param classPath of the cluster's servers
     */
    public record Request(
            List<ClusterFault> kinds,
            int crashes,
            Duration hold,
            Duration firstHold,
            int connections,
            long seed,
            String classPath) {
        /** Copies. */
        public Request {
            kinds = List.copyOf(kinds);
        }
    }

    /**
     * Prepares.
     *
     * @throws UserError where this machine can't play hosts
     */
    public ClusterCampaign(Request request, Program program) throws IOException {
        this.request = request;
        this.program = program;
        String obstacle = ClusterHosts.obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed(
                    "the parts of a cluster fail on hosts of their own: " + obstacle);
        }
    }

    @Override
    public Kind kind() {
        return ClusterCrashResult.KIND;
    }

    /** Measures a kind that was interrupted from its beginning, since its mail was not compared. */
    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        if (request.kinds().contains(ClusterFault.SLOW)) {
            String noLimit = WriteLimit.obstacle(context.folder());
            if (!noLimit.isEmpty()) {
                throw UserError.failed("no disk can be made slow here: " + noLimit
                        + "; leave 'slow' out of --kinds, or take another --output");
            }
        }
        List<ClusterFault> left = request.kinds().stream()
                .filter(kind -> context.total(ClusterCrashResult.VERDICTS, names(kind)) == null)
                .toList();
        left.forEach(kind -> context.forget(ClusterCrashResult.GAPS, names(kind)));
        context.fact(ClusterCrashResult.SKIPPED, List.of());
        for (ClusterFault kind : left) {
            try {
                crash(kind, context);
            } catch (InterruptedException | IOException | UserError e) {
                // Whatever waits fails in its own way when it is interrupted.
                if (!Thread.interrupted() && !(e instanceof InterruptedException)) {
                    throw e;
                }
                context.fact(ClusterCrashResult.SKIPPED, skipped(left, kind));
                // Tens of gigabytes of a cluster that no verdict is given of.
                Folders.delete(context.folder().resolve(kind.toString()));
                throw new InterruptedException();
            }
        }
        return context.document();
    }

    private static List<String> skipped(List<ClusterFault> kinds, ClusterFault interrupted) {
        return kinds.subList(kinds.indexOf(interrupted), kinds.size()).stream()
                .map(kind -> kind
                        + (kind == interrupted
                                ? ": interrupted before its mail was delivered and compared"
                                : ": not reached, since the campaign was interrupted"))
                .toList();
    }

    private static Map<Name, Object> names(ClusterFault kind) {
        return Map.of(ClusterCrashResult.FAULT, kind.toString());
    }

    private void crash(ClusterFault kind, Context context)
            throws IOException, InterruptedException {
        Path folder = context.folder();
        Path home = folder.resolve(kind.toString());
        context.note(kind + ": starting a cluster ...");
        List<String> failures = new ArrayList<>();
        long seed = request.seed() + request.kinds().indexOf(kind);
        Random random = Seeds.random(seed);
        Repeat verdict;
        try (CrashedCluster cluster =
                        CrashedCluster.start(program, home, request.classPath(), kind);
                Ledger ledger = new Ledger(folder.resolve(kind + ".csv"), seed);
                DeliveredFolder delivered = new DeliveredFolder(cluster.delivered(), ledger)) {
            Load load = new Load(ledger, cluster.address(), request.connections(), false);
            try (load) {
                for (int i = 1; i <= request.crashes() && failures.isEmpty(); i++) {
                    if (!load.awaitAcknowledged(load.acknowledged() + BETWEEN_MSGS, ACCEPTED_MAX)) {
                        failures.add("no mail was accepted for " + ACCEPTED_MAX.toSeconds()
                                + " s before fault " + i);
                        break;
                    }
                    int number = i;
                    Repeat fault = context.repeat(
                            ClusterCrashResult.GAPS,
                            names(kind),
                            i,
                            () -> strike(cluster, kind, random, load, failures, number));
                    context.note(String.format(
                            Locale.ROOT,
                            "%s %d: longest time without a 250 %.1f ms; %d acknowledged, %d refused",
                            kind.toString(),
                            i,
                            fault.count(ClusterCrashResult.GAP_MS),
                            load.acknowledged(),
                            load.refused()));
                }
                load.stop();
            }
            awaitDelivered(ledger, delivered);
            verdict = judge(
                    context.repeats(ClusterCrashResult.GAPS, names(kind)),
                    load,
                    ledger,
                    delivered.corrupted(),
                    failures);
        }
        context.total(ClusterCrashResult.VERDICTS, names(kind), verdict);
        if (verdict.count(ClusterCrashResult.BROKEN) == 0) {
            Folders.delete(home);
        }
    }

    /** {@return how mail was acknowledged from the fault until it was taken again} */
    private Repeat strike(
            CrashedCluster cluster,
            ClusterFault kind,
            Random random,
            Load load,
            List<String> failures,
            int number)
            throws IOException, InterruptedException {
        Duration hold = number == 1 ? request.firstHold() : request.hold();
        long acknowledged = load.acknowledged();
        long refused = load.refused();
        AcknowledgementGap gap = new AcknowledgementGap(load::acknowledged, TimeSource.SYSTEM);
        try {
            cluster.strike(kind, random, hold);
            if (!load.awaitAcknowledged(load.acknowledged() + BETWEEN_MSGS, ACCEPTED_MAX)) {
                failures.add("no mail was accepted for " + ACCEPTED_MAX.toSeconds()
                        + " s after fault " + number);
            }
        } catch (UserError e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            // A part that ended unasked, or does not start again, is an answer about this kind
            // alone.
            failures.add("fault " + number + ": " + e.getMessage());
        } finally {
            gap.close();
        }
        return Repeat.counted()
                .name(ClusterCrashResult.NUMBER, number)
                .name(ClusterCrashResult.BY_SECOND, gap.bySecond())
                .count(ClusterCrashResult.GAP_MS, gap.longestMillis())
                .count(ClusterCrashResult.ACKNOWLEDGED, load.acknowledged() - acknowledged)
                .count(ClusterCrashResult.REFUSED, load.refused() - refused)
                .made();
    }

    /** Until all of it is there, or nothing has come for long. */
    private static void awaitDelivered(Ledger ledger, DeliveredFolder delivered)
            throws IOException, InterruptedException {
        long count = delivered.delivered();
        long sinceNanos = System.nanoTime();
        while (missing(ledger) > 0 && System.nanoTime() - sinceNanos < QUIET_MAX.toNanos()) {
            Thread.sleep(POLL);
            if (delivered.delivered() != count) {
                count = delivered.delivered();
                sinceNanos = System.nanoTime();
            }
        }
    }

    private static long missing(Ledger ledger) {
        return ledger.entries().stream()
                .filter(entry -> entry.acked && entry.delivered == 0)
                .count();
    }

    private static Repeat judge(
            int faults, Load load, Ledger ledger, long corrupted, List<String> failures) {
        long lost = missing(ledger);
        long doubles = ledger.entries().stream()
                .filter(entry -> entry.acked)
                .mapToLong(entry -> Math.max(0, entry.delivered - 1))
                .sum();
        List<String> broken = new ArrayList<>(failures);
        if (lost > 0) {
            broken.add(lost + " acknowledged messages were never delivered");
        }
        if (corrupted > 0) {
            broken.add(corrupted + " messages were delivered with another content");
        }
        return Repeat.counted()
                .name(ClusterCrashResult.FAILURES, broken)
                .count(ClusterCrashResult.CRASHES, faults)
                .count(ClusterCrashResult.ACKNOWLEDGED, load.acknowledged())
                .count(ClusterCrashResult.REFUSED, load.refused())
                .count(ClusterCrashResult.IN_DOUBT, ledger.inDoubt().size())
                .count(ClusterCrashResult.LOST, lost)
                .count(ClusterCrashResult.DOUBLE, doubles)
                .count(ClusterCrashResult.CORRUPTED, corrupted)
                .count(ClusterCrashResult.BROKEN, broken.size())
                .made();
    }
}
