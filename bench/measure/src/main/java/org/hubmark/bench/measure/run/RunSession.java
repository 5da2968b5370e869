package org.hubmark.bench.measure.run;

import org.hubmark.bench.UserError;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MeasuringRun;
import org.hubmark.bench.machine.OneProcess;
import org.hubmark.bench.machine.volumes.DeviceFlushes;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.measure.Bottleneck;
import org.hubmark.bench.measure.DeliveryAudit;
import org.hubmark.bench.measure.Disturbance;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.KneeSweep;
import org.hubmark.bench.measure.Measurement;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.RandomBlocks;
import org.hubmark.bench.measure.RateSearch;
import org.hubmark.bench.measure.Samples;
import org.hubmark.bench.measure.hub.DeliveryEnd;
import org.hubmark.bench.measure.watch.WatchedHubs;
import org.hubmark.bench.measure.watch.WatchedMachine;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.DriverWarmth;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Knee;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.SustainedRate;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Measures all scenarios of a request in random blocks: each once, by one hub, then each again by
 * another, in another order, so that what drifts on the machine touches all alike. How to use it: make one, {@link #run}, write the results,
 * look at {@link #interrupted} and {@link #failure}, close. One thread; when that is interrupted, the
 * results have what was measured until then.
 */
public final class RunSession implements AutoCloseable {
    private static final String SAMPLES = "samples.csv";
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(5);

    /** So often a searched rate is lowered, each time by the search's precision: to a half in all. */
    private static final int LOWER_MAX = 14;

    private final RunRequest request;
    private final Progress progress;
    private final Samples samples;
    private final HubHost host;
    private final CycleSource cycles;
    private final MeasuringRun run;
    private final Instant startedAt = Instant.now();
    private final List<Part> parts = new ArrayList<>();
    private final List<Measurement.Outcome> outcomes = new ArrayList<>();
    private @Nullable Environment environment;
    private final Path folder;
    private final Map<String, Ceilings> ceilings = new HashMap<>();
    private final Map<String, Knee> knees = new HashMap<>();
    private boolean interrupted;
    private @Nullable String failure;

    /**
     * Prepares.
     *
     * @param folder an existing folder, for samples.csv, the .hlog files and the hub's log
     * @param interruption of the calling thread; stays the caller's, who closes it after this
     */
    public RunSession(RunRequest request, Path folder, Interruption interruption)
            throws IOException {
        this.request = request;
        this.folder = folder;
        this.progress = new Progress(System.err, request.quiet());
        this.samples = new Samples(folder.resolve(SAMPLES));
        this.cycles = CycleSource.open();
        this.run = MeasuringRun.begin(MeasuringRun.FOLDER, request.command());
        WatchedHubs elsewhere = request.target().hubs();
        this.host = elsewhere == null
                ? new LocalHubHost(request.program(), folder, progress, interruption::awaitDone)
                : new WatchedHubHost(elsewhere, progress);
        for (ScenarioRequest scenario : request.scenarios()) {
            parts.add(new Part(scenario, folder, startedAt));
        }
    }

    /** {@return whether it ended early because it was told to} */
    public boolean interrupted() {
        return interrupted;
    }

    /** {@return what was measured, in the order in which it was} */
    public List<Measurement.Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** {@return what broke it off, in words; the results have what was measured until then} */
    public @Nullable String failure() {
        return failure;
    }

    /**
     * Measures everything.
     *
     * @throws UserError if nothing could be measured at all
     */
    public Results run() throws IOException {
        run.others()
                .forEach(other -> progress.note("another run measures now, so that neither is"
                        + " valid unless it ends before this one begins to measure: " + other));
        try {
            int end = request.firstRepeat() + request.repeat();
            for (int repeat = request.firstRepeat(); repeat < end && failure == null; repeat++) {
                for (Part part : new RandomBlocks(request.seed()).order(parts, repeat)) {
                    if (failure == null) {
                        measureOrSayWhy(part, repeat);
                    }
                }
                // Each repeat has a hub of its own: what one process is by chance is no repeat.
                if (failure == null) {
                    stopHub();
                }
            }
            if (failure == null) {
                measureKnees();
                measureCeilings();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            progress.close();
        }
        return results();
    }

    private void stopHub() throws InterruptedException {
        try {
            host.stop();
        } catch (UserError e) {
            failure = words(e);
        }
    }

    /** What was measured before must not be lost with them. */
    private void measureKnees() throws InterruptedException {
        try {
            for (Part part : request.knee() ? parts : List.<Part>of()) {
                Scenario scenario = part.scenario();
                Double rate = scenario == null
                        ? null
                        : scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
                if (scenario != null && rate != null && rate > 0) {
                    knees.put(scenario.id(), knee(part, rate));
                }
            }
            stopHub();
        } catch (IOException | UserError e) {
            progress.note("no knee: " + words(e));
        }
    }

    private Knee knee(Part part, double rate) throws IOException, InterruptedException {
        ScenarioRequest scenario = part.request();
        HubRequest own = scenario.hub();
        Attempt attempt = new Attempt(part, 1, own == null ? null : host.running(own));
        return new KneeSweep(
                        pace -> scenario.source().trial(attempt.address(), pace),
                        instruments(attempt),
                        new KneeSweep.Settings(
                                scenario.title(),
                                drains(own),
                                request.seed(),
                                environment().logicalCores()),
                        progress)
                .upTo(rate);
    }

    /** What was measured before must not be lost with them. */
    private void measureCeilings() throws InterruptedException {
        if (!request.ceilings() || failure != null) {
            return;
        }
        try {
            new CeilingProbe(folder, progress, host, ceilings, request.seed()).measure(parts);
        } catch (IOException | UserError e) {
            progress.note("no ceilings: " + words(e));
        }
    }

    /**
     * When our hub has died, that is what must be said, whatever failed because of it. What was
     * measured before is kept.
     */
    private void measureOrSayWhy(Part part, int repeat) throws IOException, InterruptedException {
        try {
            measure(part, repeat);
        } catch (IOException | UserError e) {
            String death = host.death();
            if (death == null && parts.stream().allMatch(one -> one.scenario() == null)) {
                throw e;
            }
            failure = death == null ? words(e) : death;
        }
    }

    private static String words(Exception e) {
        if (e instanceof IOException io) {
            return FileErrors.reason(io);
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private void measure(Part part, int repeat) throws IOException, InterruptedException {
        ScenarioRequest scenario = part.request();
        HubRequest own = scenario.hub();
        DriverWarmth driver = scenario.source() instanceof MailSource mail
                ? DriverWarmUp.run(mail, scenario.title(), mail.driverWarmUpMax(), progress)
                : null;
        Attempt attempt = new Attempt(part, repeat, own == null ? null : host.running(own));
        Set<String> others = new TreeSet<>(run.others());
        look(
                scenario.source() instanceof MailSource mail && attempt.address() == null
                        ? mail.plan().target()
                        : attempt.address(),
                attempt.hub());
        Pace pace = scenario.source().pace();
        DeviceFlushes flushes = request.target().flushes();
        long flushesBefore = flushes == null ? 0 : flushes.count();
        Measurement.Outcome outcome;
        // A search heats the server by itself.
        if (pace instanceof Pace.MaxSustained asked) {
            outcome = sustained(attempt, asked);
        } else {
            if (request.jitWarmUp().isPositive()) {
                heat(scenario.source(), attempt.address(), scenario.title());
            }
            outcome = measure(attempt, pace, null);
        }
        others.addAll(run.others());
        outcome = disturbed(outcome.warmedBy(driver).noted(notes()), others);
        outcomes.add(outcome);
        Conditions conditions =
                own == null ? scenario.conditions() : host.complete(scenario.conditions(), own);
        part.repeats(conditions).add(outcome);
        if (flushes != null) {
            part.flushed(flushes.count() - flushesBefore);
        }
        say(title(attempt), outcome);
        if (outcome.interrupted()) {
            throw new InterruptedException();
        }
        if (own != null && own.holds() && failure == null) {
            host.stop();
        }
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(environment().notes());
        WatchedMachine watched = request.target().watched();
        String lost = watched == null ? null : watched.lost();
        if (lost != null) {
            notes.add("nothing is known of the server's machine any more: " + lost);
        }
        return notes;
    }

    /** One repeat of one scenario, to be measured at one rate or at several until one holds. */
    private record Attempt(Part part, int repeat, @Nullable RunningHub hub) {
        @Nullable
        InetSocketAddress address() {
            return hub == null ? null : hub.address();
        }
    }

    private Instruments instruments(Attempt attempt) throws IOException {
        RunningHub hub = attempt.hub;
        HubRequest own = attempt.part.request().hub();
        WatchedMachine watched = request.target().watched();
        if (watched != null) {
            return new Instruments(hub == null ? null : hub.client(), watched);
        }
        return new Instruments(
                hub == null ? null : hub.client(),
                hub == null || hub.processId() == null
                        ? request.target().cpu()
                        : new OneProcess(hub.processId()),
                cycles,
                hub == null ? request.target().volumes() : host.volumes(),
                own == null ? Map.of() : FoundConditions.emulated(own));
    }

    private static boolean drains(@Nullable HubRequest own) {
        return own != null && own.keepsQueue() && !own.holds();
    }

    /**
     * Searches, measures at what was found, and at less until the measured time confirms it: a trial
     * of some seconds can miss what fills slowly. What an attempt has written that did not hold is
     * taken back.
     */
    private Measurement.Outcome sustained(Attempt attempt, Pace.MaxSustained asked)
            throws IOException, InterruptedException {
        Part part = attempt.part;
        RateSearch.Found found = part.search(
                asked,
                attempt.address(),
                instruments(attempt),
                drains(part.request().hub()),
                progress,
                environment());
        double rate = found.ratePerSecond();
        String words = found.words();
        for (int lower = 0; ; lower++) {
            long rows = samples.lengthBytes();
            long histograms = part.histogramBytes();
            Pace pace = Pace.OpenLoop.of(rate, asked.arrivals(), asked.seed());
            Measurement.Outcome outcome = measure(running(attempt), pace, asked);
            String reason = outcome.notSustained();
            if (reason == null || lower == LOWER_MAX || outcome.interrupted() || failure != null) {
                part.sustains(SustainedRate.of(rate, words));
                if (found.byDriver()) {
                    return outcome.invalid("the driver is the bottleneck of the search: " + words);
                }
                return reason == null
                        ? outcome
                        : outcome.invalid(
                                "the rate was not sustained over the measured time: " + reason);
            }
            words = String.format(
                    Locale.ROOT, "not at %.1f msg/s over the measured time: %s", rate, reason);
            progress.note(title(attempt) + ": " + words);
            samples.cutTo(rows);
            part.cutTo(histograms);
            rate = Math.max(RateSearch.RATE_MIN, rate / RateSearch.PRECISION);
        }
    }

    /** A hub that holds its mail has ended with the attempt before: the next has an empty queue. */
    private Attempt running(Attempt attempt) throws IOException, InterruptedException {
        HubRequest own = attempt.part.request().hub();
        return own == null ? attempt : new Attempt(attempt.part, attempt.repeat, host.running(own));
    }

    private String title(Attempt attempt) {
        int all = request.firstRepeat() + request.repeat() - 1;
        return attempt.part.request().title() + " " + attempt.repeat + "/" + all;
    }

    private Measurement.Outcome measure(
            Attempt attempt, Pace pace, Pace.@Nullable MaxSustained searched)
            throws IOException, InterruptedException {
        Part part = attempt.part;
        ScenarioRequest scenario = part.request();
        HubRequest own = scenario.hub();
        Measurement.Outcome outcome;
        try (Workload work = scenario.source().start(attempt.address(), pace)) {
            DeliveryAudit audit = audit(own, work);
            Environment machine = environment();
            Measurement.Plan measurement = new Measurement.Plan(
                    scenario.id(),
                    attempt.repeat,
                    title(attempt),
                    untilFinished() ? Duration.ZERO : request.warmup(),
                    request.warmupMax(),
                    request.duration(),
                    pace,
                    searched,
                    own != null && own.keepsQueue(),
                    drains(own),
                    machine.logicalCores());
            outcome = new Measurement(
                            measurement,
                            work,
                            instruments(attempt),
                            samples,
                            part.histograms(),
                            progress)
                    .run();
            if (audit != null && outcome.broken() == null && !outcome.interrupted()) {
                if (own != null && own.holds()) {
                    host.stop();
                }
                outcome = audit.judge(outcome);
            }
            String outOfSight = own == null ? null : own.spec().outOfSight();
            if (outOfSight != null) {
                outcome = outcome.noted(List.of(outOfSight));
            }
        }
        IOException broken = outcome.broken();
        if (broken == null) {
            return outcome;
        }
        String death = host.awaitDeath();
        String reason = death == null ? words(broken) : death;
        failure = reason;
        return outcome.invalid(reason);
    }

    /** {@return what will compare the messages; null where none are} */
    private @Nullable DeliveryAudit audit(@Nullable HubRequest own, Workload work)
            throws IOException {
        DeliveryEnd end = own == null ? null : host.end();
        return own == null || end == null
                ? null
                : DeliveryAudit.begin(end, own.spec().audit(), work);
    }

    /** On a machine that is known to be shared it is said, and else is a reason not to be valid. */
    private Measurement.Outcome disturbed(Measurement.Outcome outcome, Set<String> others) {
        Measurement.Outcome disturbed = outcome;
        for (String reason : Disturbance.reasons(outcome.repeat().figures(), List.copyOf(others))) {
            disturbed = request.sharedMachine()
                    ? disturbed.noted(List.of("the machine is shared: " + reason))
                    : disturbed.invalid(reason);
        }
        return disturbed;
    }

    /** Not measured; what it leaves in the queue is gone before the warm-up is over. */
    private void heat(WorkloadSource source, @Nullable InetSocketAddress hub, String title)
            throws IOException, InterruptedException {
        progress.phase(title + " JIT warm-up", request.jitWarmUp());
        try (Workload work = source.trial(hub, new Pace.ClosedLoop())) {
            work.begin();
            Thread.sleep(request.jitWarmUp());
            work.stop(ANSWERS_TIMEOUT);
        }
    }

    /**
     * {@return messages a second that the log device holds by itself, written as the first scenario
     * wrote it; null where that isn't known} After {@link #run}; about 1.5 s.
     */
    public @Nullable Double logCeiling() throws IOException {
        Scenario scenario = parts.getFirst().scenario();
        if (scenario == null || failure != null || interrupted) {
            return null;
        }
        try {
            progress.phase("ceiling: log device", CeilingProbe.WRITING);
            return CeilingProbe.logDevice(parts.getFirst(), scenario, request.seed());
        } catch (InterruptedException e) {
            interrupted = true;
            return null;
        }
    }

    /**
     * Measures what the receive path and the loopback hold for the load of each scenario, in place of
     * the scenarios.
     *
     * @return by the id of the scenario, without percentages; empty when interrupted
     */
    public Map<String, Ceilings> sharedCeilings() throws IOException {
        try {
            return new CeilingProbe(folder, progress, host, ceilings, request.seed()).shared(parts);
        } catch (InterruptedException e) {
            interrupted = true;
            return Map.of();
        } finally {
            progress.close();
        }
    }

    private void say(String title, Measurement.Outcome outcome) {
        Double rate = outcome.repeat().figures().get(Figure.THROUGHPUT_MSGS_PER_S);
        String unsteady = outcome.repeat().steadyReason();
        progress.note(String.format(
                Locale.ROOT,
                "%s: %.0f msg/s%s",
                title,
                rate == null ? 0 : rate,
                unsteady == null ? "" : ", not steady: " + unsteady));
        outcome.repeat().notes().forEach(note -> progress.note(title + ": " + note));
    }

    private boolean untilFinished() {
        return request.duration().equals(Measurement.UNTIL_FINISHED);
    }

    /** Once: before the first load, so that it disturbs none. */
    private void look(@Nullable InetSocketAddress server, @Nullable RunningHub hub) {
        if (environment == null) {
            environment =
                    machine().with(Disclosure.of(server, hub == null ? null : hub.processId()));
        }
    }

    private Environment environment() {
        Environment known = environment;
        return known == null ? machine() : known;
    }

    private Environment machine() {
        List<Volume> ours = host.volumes();
        return Machine.inspect(ours.isEmpty() ? request.target().volumes() : ours);
    }

    private Results results() throws IOException {
        List<Scenario> scenarios = new ArrayList<>();
        for (Part part : parts) {
            Scenario scenario = part.scenario();
            if (scenario != null) {
                Ceilings found = ceilings.get(scenario.id());
                Knee knee = knees.get(scenario.id());
                Figures.Limiting limiting = Bottleneck.beside(scenario.figures().limiting(), knee);
                scenarios.add(scenario.with(knee).with(found, Bottleneck.beside(limiting, found)));
            }
        }
        Map<String, Object> settings = new TreeMap<>(request.settings());
        settings.putAll(host.settings());
        Results results = new Results(
                Results.SCHEMA,
                request.program().tool(),
                startedAt.toString(),
                Instant.now().toString(),
                request.command(),
                environment(),
                settings,
                scenarios,
                List.of(),
                List.of());
        WatchedMachine watched = request.target().watched();
        return watched == null
                ? results
                : results.watched(watched.environment(), watched.account());
    }

    /** Kills the hub if it still runs and frees everything. Files that say nothing are removed. */
    @Override
    public void close() throws IOException {
        host.close();
        cycles.close();
        run.close();
        parts.forEach(Part::close);
        progress.close();
        samples.close();
        if (outcomes.isEmpty() && !interrupted) {
            Files.deleteIfExists(folder.resolve(SAMPLES));
            for (Part part : parts) {
                Files.deleteIfExists(folder.resolve(part.histogramFile()));
            }
        }
    }
}
