package org.hubmark.bench.durability;

import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Kills parts of a cluster under load, and looks whether all that was acknowledged is delivered. Each
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

    /** How long what was killed is away; a bookie for half of it. */
    private static final Duration HOLD = Duration.ofSeconds(8);
    /** These leave some 2 GB a minute in journals and ledgers. */
    private static final int CONNECTIONS = 4;

    private final Request request;
    private final Program program;

    /**
     * What is asked for.
     *
     * @param crashes of each kind
     * @param classPath of the cluster's servers
     */
    public record Request(List<ClusterFault> kinds, int crashes, long seed, String classPath) {}

    /**
     * Prepares.
     *
     * @throws UserError where the page cache can't be dropped, and a kind wants that
     */
    public ClusterCampaign(Request request, Program program) {
        this.request = request;
        this.program = program;
        if (request.kinds().contains(ClusterFault.BOOKIES)
                && !Files.isWritable(CrashCluster.PAGE_CACHE)) {
            throw UserError.failed(
                    "the kind " + ClusterFault.BOOKIES + " drops the page cache, which needs"
                            + " root: run it as root, or name other --kinds");
        }
    }

    @Override
    public Kind kind() {
        return ClusterCrashResult.KIND;
    }

    /** Measures a kind that was interrupted from its beginning, since its mail was not compared. */
    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        for (ClusterFault kind : request.kinds()) {
            context.fact(
                    CrashResult.SKIPPED,
                    request.kinds().stream()
                            .filter(one -> isOpen(one, context))
                            .map(one -> one + ": not finished when the campaign ended")
                            .toList());
            if (isOpen(kind, context)) {
                crash(kind, context);
            }
        }
        context.fact(CrashResult.SKIPPED, List.of());
        return context.document();
    }

    private static boolean isOpen(ClusterFault kind, Context context) {
        return context.total(ClusterCrashResult.VERDICTS, names(kind)) == null;
    }

    private static Map<Name, Object> names(ClusterFault kind) {
        return Map.of(ClusterCrashResult.FAULT, kind.toString());
    }

    private void crash(ClusterFault kind, Context context)
            throws IOException, InterruptedException {
        Path home = context.folder().resolve(kind.toString());
        Folders.delete(home);
        try {
            Repeat verdict = verdict(kind, home, context);
            if (verdict.count(ClusterCrashResult.BROKEN) == 0) {
                Folders.delete(home);
            }
            context.total(ClusterCrashResult.VERDICTS, names(kind), verdict);
        } catch (InterruptedException | IOException | UserError e) {
            // Whatever waits fails in its own way when it is interrupted.
            if (!Thread.interrupted() && !(e instanceof InterruptedException)) {
                throw e;
            }
            // Tens of gigabytes of a cluster that no verdict is given of.
            Folders.delete(home);
            throw new InterruptedException();
        }
    }

    private Repeat verdict(ClusterFault kind, Path home, Context context)
            throws IOException, InterruptedException {
        Path folder = context.folder();
        context.note(kind + ": starting a cluster ...");
        List<String> failures = new ArrayList<>();
        int faults = 0;
        // The same whichever kinds are asked for.
        long seed = request.seed() + kind.toString().hashCode();
        Random random = Seeds.random(seed);
        try (CrashCluster cluster = CrashCluster.start(program, home, request.classPath());
                Ledger ledger = new Ledger(folder.resolve(kind + ".csv"), seed);
                DeliveryFolder delivered = new DeliveryFolder(cluster.delivered(), ledger)) {
            Load load = new Load(ledger, cluster.address(), CONNECTIONS, false);
            try (load) {
                for (int i = 1; i <= request.crashes() && failures.isEmpty(); i++) {
                    if (!load.awaitAcknowledged(load.acknowledged() + BETWEEN_MSGS, ACCEPTED_MAX)) {
                        failures.add("no mail was accepted for " + ACCEPTED_MAX.toSeconds()
                                + " s before fault " + i);
                        break;
                    }
                    strike(cluster, kind, random, load, failures, i);
                    faults++;
                    context.note(kind + " " + i + ": " + load.acknowledged() + " acknowledged, "
                            + load.refused() + " refused");
                }
                load.stop();
            }
            if (failures.isEmpty()) {
                awaitDelivered(ledger, delivered);
            }
            return judge(
                    faults,
                    new Counts(load.acknowledged(), load.refused(), delivered.corrupted()),
                    ledger,
                    failures);
        }
    }

    /** Does it, and waits until mail is taken again. */
    private void strike(
            CrashCluster cluster,
            ClusterFault kind,
            Random random,
            Load load,
            List<String> failures,
            int number)
            throws IOException, InterruptedException {
        try {
            cluster.strike(kind, random, HOLD);
            if (!load.awaitAcknowledged(load.acknowledged() + BETWEEN_MSGS, ACCEPTED_MAX)) {
                failures.add("no mail was accepted for " + ACCEPTED_MAX.toSeconds()
                        + " s after fault " + number);
            }
        } catch (UserError | CrashServer.StartException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            // A part that ended unasked, or does not start again, is an answer about this kind
            // alone.
            failures.add("fault " + number + ": " + e.getMessage());
        }
    }

    /** Until all of it is there, or nothing has come for long. */
    private static void awaitDelivered(Ledger ledger, DeliveryFolder delivered)
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

    /**
     * What the ledger does not know.
     *
     * @param corrupted deliveries with another content
     */
    record Counts(long acknowledged, long refused, long corrupted) {}

    /** {@return what was counted} After a failure nobody waits for the rest, and what is lost is not known. */
    static Repeat judge(int faults, Counts counts, Ledger ledger, List<String> failures) {
        Long lost = failures.isEmpty() ? (Long) missing(ledger) : null;
        long doubles = ledger.entries().stream()
                .filter(entry -> entry.acked)
                .mapToLong(entry -> Math.max(0, entry.delivered - 1))
                .sum();
        List<String> broken = new ArrayList<>(failures);
        if (lost != null && lost > 0) {
            broken.add(lost + " acknowledged messages were not delivered: none came for "
                    + QUIET_MAX.toSeconds() + " s");
        }
        if (counts.corrupted > 0) {
            broken.add(counts.corrupted + " messages were delivered with another content");
        }
        return Repeat.counted()
                .name(CrashResult.FAILURES, broken)
                .count(CrashResult.CRASHES, faults)
                .count(CrashResult.ACKNOWLEDGED, counts.acknowledged)
                .count(ClusterCrashResult.REFUSED, counts.refused)
                .count(CrashResult.IN_DOUBT, ledger.inDoubt().size())
                .count(CrashResult.LOST, lost)
                .count(ClusterCrashResult.DOUBLE, doubles)
                .count(CrashResult.CORRUPTED, counts.corrupted)
                .count(ClusterCrashResult.BROKEN, broken.size())
                .made();
    }
}
