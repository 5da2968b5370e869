package org.hubmark.bench.crash;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.WriteLimit;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Lets parts of a cluster fail under load, and looks whether all that was acknowledged is delivered. Each
 * kind of fault has a cluster of its own, and as many faults as are asked for, one after the other; mail
 * has to be accepted again after each. Then the load ends, and what was acknowledged is waited for.
 * Blocks; one thread.
 */
public final class ClusterCampaign {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private static final Duration POLL = Duration.ofMillis(200);
    /** Enough that a fault finds mail under way. */
    private static final long BETWEEN_MSGS = 50;

    private static final Duration ACCEPTED_MAX = Duration.ofMinutes(2);
    /** Without a delivery for so long nothing more is to be expected: leases and timeouts are shorter. */
    private static final Duration QUIET_MAX = Duration.ofSeconds(60);

    private final Request request;
    private final Program program;
    private final Path folder;
    private final Consumer<String> notes;
    private final List<ClusterVerdict> verdicts = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private final List<ClusterVerdict.Fault> faults = new ArrayList<>();
    private long acknowledgedMsgs;
    private long refusedMsgs;
    private boolean interrupted;

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
     * A kind that gets no verdict, since the campaign was interrupted: what was delivered is not known.
     *
     * @param crashes how many faults were over
     * @param acknowledgedMsgs messages for which a 250 was read by the end of the last of them
     * @param refusedMsgs answered with another code by then
     * @param faults how mail was accepted after each
     */
    public record Skipped(
            String kind,
            String reason,
            int crashes,
            long acknowledgedMsgs,
            long refusedMsgs,
            List<ClusterVerdict.Fault> faults) {
        /** Copies. */
        public Skipped {
            faults = List.copyOf(faults);
        }
    }

    /**
     * Prepares.
     *
     * @param folder of the results
     * @param notes gets a line a step
     * @throws UserError where this machine can't play hosts, or slow disks that are asked for
     */
    public ClusterCampaign(Request request, Program program, Path folder, Consumer<String> notes)
            throws IOException {
        this.request = request;
        this.program = program;
        this.folder = folder;
        this.notes = notes;
        String obstacle = ClusterHosts.obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed(
                    "the parts of a cluster fail on hosts of their own: " + obstacle);
        }
        if (request.kinds().contains(ClusterFault.SLOW)) {
            String noLimit = WriteLimit.obstacle(folder);
            if (!noLimit.isEmpty()) {
                throw UserError.failed("no disk can be made slow here: " + noLimit
                        + "; leave 'slow' out of --kinds, or take another --output");
            }
        }
    }

    /** {@return the verdicts, as far as it went} */
    public List<ClusterVerdict> run() throws IOException {
        for (ClusterFault kind : request.kinds()) {
            if (interrupted) {
                skip(kind, "not reached, since the campaign was interrupted");
            } else {
                crash(kind);
            }
            write();
        }
        return List.copyOf(verdicts);
    }

    private void crash(ClusterFault kind) throws IOException {
        try {
            verdicts.add(run(kind));
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException | UserError e) {
            // Whatever waits fails in its own way when it is interrupted.
            interrupted = Thread.interrupted();
            if (!interrupted) {
                throw e;
            }
        }
        if (interrupted) {
            skip(kind, "interrupted before its mail was delivered and compared");
            // Tens of gigabytes of a cluster that no verdict is given of.
            Folders.delete(folder.resolve(kind.toString()));
        }
        faults.clear();
        acknowledgedMsgs = 0;
        refusedMsgs = 0;
    }

    private void skip(ClusterFault kind, String reason) {
        skipped.add(new Skipped(
                kind.toString(), reason, faults.size(), acknowledgedMsgs, refusedMsgs, faults));
    }

    private void write() throws IOException {
        Files.writeString(folder.resolve("cluster-crash.json"), json());
    }

    /** {@return the kinds that get no verdict} */
    public List<Skipped> skipped() {
        return List.copyOf(skipped);
    }

    /** {@return whether it was told to end early} */
    public boolean interrupted() {
        return interrupted;
    }

    /** {@return the content of cluster-crash.json} */
    public String json() throws IOException {
        return json(request.seed(), verdicts, skipped);
    }

    /** {@return the content of cluster-crash.json with those verdicts} */
    static String json(long seed, List<ClusterVerdict> verdicts, List<Skipped> skipped)
            throws IOException {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("seed", seed);
        results.put("verdicts", verdicts);
        results.put("skipped", skipped);
        return JSON.writeValueAsString(results);
    }

    private ClusterVerdict run(ClusterFault kind) throws IOException, InterruptedException {
        Path home = folder.resolve(kind.toString());
        notes.accept(kind + ": starting a cluster ...");
        List<String> failures = new ArrayList<>();
        long seed = request.seed() + request.kinds().indexOf(kind);
        Random random = Seeds.random(seed);
        ClusterVerdict verdict;
        try (CrashedCluster cluster =
                        CrashedCluster.start(program, home, request.classPath(), kind);
                Ledger ledger = new Ledger(folder.resolve(kind + ".csv"), seed);
                DeliveredFolder delivered = new DeliveredFolder(cluster.delivered(), ledger)) {
            try (Load load = new Load(ledger, cluster.address(), request.connections(), false)) {
                for (int i = 1; i <= request.crashes() && failures.isEmpty(); i++) {
                    if (!load.awaitAcknowledged(load.acknowledged() + BETWEEN_MSGS, ACCEPTED_MAX)) {
                        failures.add("no mail was accepted for " + ACCEPTED_MAX.toSeconds()
                                + " s before fault " + i);
                        break;
                    }
                    Duration hold = i == 1 ? request.firstHold() : request.hold();
                    ClusterVerdict.Fault fault =
                            strike(cluster, kind, random, hold, load, failures, i);
                    faults.add(fault);
                    count(load);
                    notes.accept(String.format(
                            Locale.ROOT,
                            "%s %d: longest time without a 250 %.1f ms; %d acknowledged, %d refused",
                            kind.toString(),
                            i,
                            fault.gapMs(),
                            acknowledgedMsgs,
                            refusedMsgs));
                }
                load.stop();
                count(load);
            }
            awaitDelivered(ledger, delivered);
            verdict = judge(kind, ledger, delivered.corrupted(), failures);
        }
        if (verdict.promiseKept()) {
            Folders.delete(home);
        }
        return verdict;
    }

    private void count(Load load) {
        acknowledgedMsgs = load.acknowledged();
        refusedMsgs = load.refused();
    }

    /** {@return how mail was acknowledged from the fault until it was taken again} */
    private static ClusterVerdict.Fault strike(
            CrashedCluster cluster,
            ClusterFault kind,
            Random random,
            Duration hold,
            Load load,
            List<String> failures,
            int number)
            throws IOException, InterruptedException {
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
        return new ClusterVerdict.Fault(gap.longestMillis(), gap.bySecond());
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

    private ClusterVerdict judge(
            ClusterFault kind, Ledger ledger, long corrupted, List<String> failures) {
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
        List<Double> sorted =
                faults.stream().map(ClusterVerdict.Fault::gapMs).sorted().toList();
        return new ClusterVerdict(
                kind.toString(),
                faults.size(),
                acknowledgedMsgs,
                refusedMsgs,
                ledger.inDoubt().size(),
                lost,
                doubles,
                corrupted,
                sorted.isEmpty() ? null : sorted.get((sorted.size() - 1) / 2),
                sorted.isEmpty() ? null : sorted.getLast(),
                broken.isEmpty(),
                broken,
                faults);
    }
}
