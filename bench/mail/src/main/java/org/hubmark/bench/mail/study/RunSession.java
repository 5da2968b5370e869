package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.HubServer;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.RemoteMachine;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.WarmUp;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.Samples;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Measures all scenarios of a request in random blocks: each once, then each again, in another order, so
 * that what drifts on the machine touches all alike. The latency at a lower rate and the ceilings follow.
 * Scenarios that ask for the same hub share it within a block; those of a matrix have one each, on volumes
 * of their own. What is measured is in the context, and is looked up there: a run that goes on with another
 * finds it in the same way. How to use it: make one, {@link #run}, close. One thread; when that is
 * interrupted, the context has what was measured until then.
 */
final class RunSession implements AutoCloseable {
    private final RunRequest request;
    private final Context context;
    private final Map<String, String> failures;
    private final HubHost host;
    private final CycleSource cycles;
    private final RepeatMeter meter;
    private final boolean isMatrix;

    private Environment environment;
    private boolean looked;

    /**
     * Prepares, with the repeats that an interrupted run has left.
     *
     * @param failures gets why a scenario was not measured to its end, by id; one of a matrix does not end
     *     the others
     */
    RunSession(
            RunRequest request, Context context, Map<String, String> failures, Runnable beforeKill)
            throws IOException {
        this.request = request;
        this.context = context;
        this.failures = failures;
        this.environment = context.environment();
        this.cycles = new CycleSource(HostFiles.HERE);
        this.host = new HubHost(request.program(), context.folder(), context, beforeKill);
        this.meter = new RepeatMeter(request, host, cycles, context);
        this.isMatrix = request.isMatrix();
        request.scenarios()
                .forEach(scenario -> context.expect(MailDocument.SCENARIOS, scenario.row()));
    }

    /**
     * Measures everything that is not kept already.
     *
     * @throws UserError if nothing could be measured at all
     * @throws InterruptedException when it is told to end; what was measured until then is kept
     */
    void run() throws IOException, InterruptedException {
        context.others()
                .forEach(other -> context.note((request.sharedMachine()
                                ? "another run measures now, which the result will note: "
                                : "another run measures now; neither result will be"
                                        + " valid unless it ends first: ")
                        + other));
        try {
            for (ScenarioRequest scenario : request.scenarios()) {
                if (repeats(scenario) >= request.repeats().count()) {
                    // What failed before was a repeat more than is asked for now.
                    context.missing(MailDocument.SCENARIOS, scenario.row(), null);
                }
            }
            for (int repeat = 1; repeat <= request.repeats().count(); repeat++) {
                for (ScenarioRequest scenario :
                        request.repeats().order(request.scenarios(), repeat)) {
                    measure(scenario, repeat);
                }
                // Each repeat has a hub of its own: variation between processes must show up as
                // repeats.
                stopHub();
            }
            for (ScenarioRequest scenario : request.scenarios()) {
                measureLatency(scenario);
            }
            stopHub();
            for (ScenarioRequest scenario : request.scenarios()) {
                measureCeiling(scenario);
            }
        } finally {
            keep();
        }
    }

    private int repeats(ScenarioRequest scenario) {
        return context.repeats(MailDocument.SCENARIOS, scenario.row());
    }

    private void describe(ScenarioRequest scenario, Name name, @Nullable Object value) {
        context.describe(MailDocument.SCENARIOS, scenario.row(), name, value);
    }

    private @Nullable Results measuredUntilNow() {
        return context.isEmpty() ? null : new Results(context.document());
    }

    /** {@return what was found, or null when nothing was} */
    private @Nullable Scenario found(ScenarioRequest scenario) {
        return new Results(context.document()).scenario(scenario.id()).orElse(null);
    }

    private boolean goesOn(ScenarioRequest scenario) {
        return isMatrix ? !failures.containsKey(scenario.id()) : failures.isEmpty();
    }

    /** The other scenarios of a matrix may do well: the row of this one says why it has nothing more. */
    private void fail(ScenarioRequest scenario, int repeat, String reason) throws IOException {
        failures.put(scenario.id(), reason);
        if (isMatrix) {
            context.note("failed: " + reason);
            if (repeats(scenario) == 0) {
                describe(scenario, scenario.conditions());
            }
            context.missing(
                    MailDocument.SCENARIOS,
                    scenario.row(),
                    Scenario.Repeat.failed(scenario.id(), repeat, reason).counted());
        }
    }

    private void describe(ScenarioRequest scenario, Conditions conditions) {
        conditions.names().forEach((key, value) -> describe(scenario, Name.note(key, ""), value));
    }

    private void stopHub() throws InterruptedException {
        if (isMatrix || failures.isEmpty()) {
            try {
                host.stop();
            } catch (UserError e) {
                failures.put("", words(e));
            }
        }
    }

    /**
     * When our hub has died, that is what must be said, whatever failed because of it. What was
     * measured before is kept.
     */
    private void measure(ScenarioRequest scenario, int repeat)
            throws IOException, InterruptedException {
        if (!goesOn(scenario) || repeats(scenario) >= repeat) {
            return;
        }
        try {
            var unused = context.repeat(
                    MailDocument.SCENARIOS,
                    scenario.row(),
                    repeat,
                    () -> counted(scenario, repeat));
            release(scenario);
        } catch (InterruptedException e) {
            // A repeat whose server broke is not complete either.
            if (goesOn(scenario)) {
                throw e;
            }
        } catch (IOException | UserError e) {
            if (Thread.interrupted()) {
                // Files that are written just then are closed by it.
                throw new InterruptedException();
            }
            // A hub that goes refuses connections before its process has ended.
            String death = host.awaitDeath();
            boolean isOfAll = isMatrix ? e instanceof IOException : context.isEmpty();
            if (death == null && isOfAll) {
                throw e;
            }
            fail(scenario, repeat, death == null ? words(e) : death);
            giveUp(scenario);
        }
    }

    private static String words(Exception e) {
        if (e instanceof IOException io) {
            return FileErrors.reason(io);
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** A hub that holds its mail has an empty queue once only; one of a matrix has volumes of its own. */
    private void release(ScenarioRequest scenario) throws IOException, InterruptedException {
        if (scenario.hub() != null && scenario.hub().holds() && goesOn(scenario)) {
            host.stop();
        }
        host.release();
        forget(scenario);
    }

    /** The same after a failure: a hub that still runs is killed. */
    private void giveUp(ScenarioRequest scenario) throws IOException {
        host.close();
        forget(scenario);
    }

    /** The messages of all cells together have no room in memory. */
    private void forget(ScenarioRequest scenario) {
        if (isMatrix) {
            scenario.source().close();
        }
    }

    private Repeat counted(ScenarioRequest scenario, int repeat)
            throws IOException, InterruptedException {
        if (isMatrix) {
            context.note("cell " + scenario.id() + ", repeat " + repeat + ": "
                    + RunEstimate.of(request, measuredUntilNow()).words());
        }
        RepeatMeter.Attempt attempt = attempt(
                scenario,
                repeat,
                " " + repeat + "/" + request.repeats().count(),
                scenario.source().pace(),
                () -> context.series(MailDocument.SCENARIOS, scenario.row(), Samples.KEYS));
        Measurement.Outcome outcome = measured(attempt);
        String broken = broken(outcome);
        Scenario.Repeat counted = broken == null
                ? outcome.repeat()
                : outcome.repeat().invalid(new Reason(Case.OTHER, broken));
        say(attempt.plan().title(), counted);
        if (isMatrix && broken != null) {
            // No effect is made of a cell of which a part was measured.
            throw UserError.failed(broken);
        }
        if (isMatrix && outcome.interrupted()) {
            throw new InterruptedException();
        }
        if (broken != null) {
            fail(scenario, repeat, broken);
        }
        Conditions conditions = meter.conditions(attempt);
        double sizeKb = scenario.source().operationKb();
        if (repeats(scenario) == 0) {
            describe(scenario, MailDocument.SIZE, sizeKb);
            describe(scenario, conditions);
        }
        keep();
        return counted.of(scenario.id(), sizeKb, conditions).counted();
    }

    private RepeatMeter.Attempt attempt(
            ScenarioRequest scenario,
            int number,
            String what,
            Pace pace,
            RepeatMeter.SampleSource samples)
            throws IOException {
        HubRequest own = host.ready(scenario);
        boolean keepsQueue = own != null && own.keepsQueue();
        boolean drains = own != null && own.keepsQueue() && !own.holds();
        Measurement.Plan plan = new Measurement.Plan(
                number,
                scenario.title() + what,
                request.times(),
                pace,
                null,
                keepsQueue,
                drains,
                environment.processor().logicalCores());
        return new RepeatMeter.Attempt(scenario, plan, own, samples);
    }

    /** {@return what was measured, with what else has to be known of it} */
    private Measurement.Outcome measured(RepeatMeter.Attempt attempt)
            throws IOException, InterruptedException {
        ScenarioRequest scenario = attempt.scenario();
        List<String> notes = new ArrayList<>();
        if (scenario.source() instanceof MailSource mail) {
            DriverWarmUp.run(
                    mail, scenario.title(), mail.driverWarmUpMax(), context, context.clock());
        }
        look(scenario, meter.hub(attempt.own()));
        Set<String> others = new TreeSet<>(context.others());
        Measurement.Outcome outcome = meter.measure(attempt);
        RemoteMachine watched = request.target().watched();
        if (watched != null && watched.lost() != null) {
            notes.add("lost the counters of the server's machine: " + watched.lost());
        }
        return outcome.with(disturbed(outcome.repeat().noted(notes), others));
    }

    /** {@return why a measurement was broken off; null where it was not} */
    private @Nullable String broken(Measurement.Outcome outcome) throws InterruptedException {
        if (!(outcome.brokenOff() instanceof IOException broken)) {
            return null;
        }
        String death = host.awaitDeath();
        return death == null ? FileErrors.reason(broken) : death;
    }

    /**
     * The latency at a part of the rate of all repeats: neither a closed loop nor a server at its limit
     * shows what mail from outside would see. What was measured before must not be lost with it.
     */
    private void measureLatency(ScenarioRequest scenario) throws IOException, InterruptedException {
        double percent = request.extras().latencyPercent();
        Scenario measured = found(scenario);
        double[] rates =
                measured == null ? new double[0] : measured.values(Figure.THROUGHPUT_MSGS_PER_S);
        double rate = rates.length == 0 ? 0 : Inference.median(rates) * percent / 100;
        if (!(rate > 0) || !goesOn(scenario) || !request.lacksLatency(scenario, measured)) {
            return;
        }
        try {
            Measurement.Outcome outcome = measured(attempt(
                    scenario,
                    1,
                    String.format(Locale.ROOT, " latency at %.0f%%, %.1f msg/s", percent, rate),
                    new Pace.OpenLoop(rate, Arrivals.FIXED, request.repeats().seed()),
                    () -> new Series(Samples.KEYS)));
            String broken = broken(outcome);
            if (broken != null) {
                // The repeats are there: the row itself has not failed.
                failures.put(scenario.id(), "no latency at a lower rate: " + broken);
                context.note(scenario.id() + ": no latency at a lower rate: " + broken);
            }
            if (outcome.interrupted()) {
                throw new InterruptedException();
            }
            if (outcome.isComplete()) {
                LatencyAt found = LatencyAt.of(percent, rate, outcome.repeat());
                describe(scenario, MailDocument.LATENCY_AT, found);
            }
            release(scenario);
        } catch (IOException | UserError e) {
            context.note("no latency at a lower rate: " + words(e));
            giveUp(scenario);
        }
    }

    /** All hubs have ended. What was measured before must not be lost with it. */
    private void measureCeiling(ScenarioRequest scenario) throws IOException, InterruptedException {
        Scenario found = found(scenario);
        if (found == null || !goesOn(scenario) || !request.lacksCeiling(scenario, found)) {
            return;
        }
        context.phase("ceiling: log device", CeilingProbe.WRITING);
        try {
            HubRequest hub = Objects.requireNonNull(host.ready(scenario));
            hub.folders().claim();
            describe(
                    scenario,
                    MailDocument.LOG_DEVICE,
                    CeilingProbe.logDevice(hub, found, request.repeats().seed()));
            host.release();
        } catch (IOException | UserError e) {
            context.note("no ceiling of the log device: " + words(e));
            giveUp(scenario);
        }
    }

    /** On a machine that is known to be shared it is said, and else is a reason not to be valid. */
    private Scenario.Repeat disturbed(Scenario.Repeat counted, Set<String> others) {
        Scenario.Repeat disturbed = counted;
        others.addAll(context.others());
        MachineUse use = counted.machineUse();
        for (String words : use.disturbances(List.copyOf(others))) {
            disturbed = request.sharedMachine()
                    ? disturbed.disturbed(words)
                    : disturbed.invalid(new Reason(Case.DISTURBED, words));
        }
        return disturbed;
    }

    private void say(String title, Scenario.Repeat counted) {
        Double rate = counted.get(Figure.THROUGHPUT_MSGS_PER_S);
        WarmUp warmUp = counted.warmUp();
        context.note(String.format(
                Locale.ROOT,
                "%s: %.0f msg/s%s",
                title,
                rate == null ? 0 : rate,
                Boolean.FALSE.equals(warmUp.steady()) ? ", not steady: " + warmUp.reason() : ""));
        counted.remarks().forEach(note -> context.note(title + ": " + note));
    }

    /**
     * Once, before the first load, so that it disturbs none; the volumes of a matrix may lie on other
     * devices from cell to cell.
     */
    private void look(ScenarioRequest scenario, @Nullable HubServer hub) {
        List<VolumeDisclosure> before = environment.volumes();
        if (!looked) {
            looked = true;
            InetSocketAddress target =
                    scenario.source() instanceof MailSource mail ? mail.plan().target() : null;
            environment = machine()
                    .withDisclosure(
                            hub == null
                                    ? Disclosure.of(target, null)
                                    : Disclosure.of(hub.address(), hub.processId()));
        }
        if (isMatrix) {
            environment = environment.withVolumes(together(before, host.volumes()));
        }
    }

    private static List<VolumeDisclosure> together(
            List<VolumeDisclosure> first, List<VolumeDisclosure> second) {
        Map<List<Object>, VolumeDisclosure> volumes = new LinkedHashMap<>();
        Stream.concat(first.stream(), second.stream())
                .forEach(volume -> volumes.putIfAbsent(
                        Arrays.asList(
                                volume.role(),
                                volume.path(),
                                volume.device(),
                                volume.emulates(),
                                volume.disk().writeCache()),
                        volume));
        return List.copyOf(volumes.values());
    }

    private Environment machine() {
        if (request.target().watched() != null) {
            return Machine.inspect(List.of());
        }
        List<VolumeDisclosure> ours = host.volumes();
        return Machine.inspect(ours.isEmpty() ? request.target().volumes() : ours);
    }

    /** Takes down what is known by now beside the repeats. */
    private void keep() {
        context.environment(environment);
        Map<String, @Nullable Object> before = context.settings();
        host.settings().forEach((name, value) -> {
            // What differs from cell to cell is no setting of the whole.
            boolean differs = isMatrix
                    && before.containsKey(name)
                    && !String.valueOf(before.get(name)).equals(String.valueOf(value));
            context.setting(name, differs ? null : value);
        });
        context.fact(
                MailDocument.PUBLISH, request.extras().publish() ? Publication.UNJUDGED : null);
        RemoteMachine watched = request.target().watched();
        context.fact(MachineSections.SERVER, watched == null ? null : watched.environment());
        context.fact(MachineSections.WATCH, watched == null ? null : watched.account());
    }

    /** Kills the hub if it still runs and frees everything. */
    @Override
    public void close() throws IOException {
        host.close();
        request.scenarios().forEach(scenario -> scenario.source().close());
    }
}
