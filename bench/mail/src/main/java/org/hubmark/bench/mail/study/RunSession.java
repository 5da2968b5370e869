package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Clock;

import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.meter.RandomBlocks;
import org.hubmark.bench.mail.meter.Samples;
import org.hubmark.bench.machine.watch.WatchedMachine;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.DriverWarmth;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Measures all scenarios of a request in random blocks: each once, by one hub, then each again by
 * another, in another order, so that what drifts on the machine touches all alike. How to use it: make
 * one, {@link #run}, look at {@link #failure}, close. One thread; when that is interrupted, the results
 * have what was measured until then.
 */
public final class RunSession implements AutoCloseable {
    private final RunRequest request;
    private final Progress progress;
    private final HubHost host;
    private final CycleSource cycles;
    private final RepeatMeter meter;
    private final Surroundings surroundings;
    private final Clock time;
    private final List<Part> parts = new ArrayList<>();
    private @Nullable Environment environment;
    private boolean looked;
    private final RateLimits limits;
    private @Nullable String failure;

    /**
     * Surroundings of a session; all stays the caller's.
     *
     * @param folder an existing folder, for the hub's log
     * @param interruption of the calling thread
     * @param others tells which other runs measure on this machine now
     * @param kept keeps the repeats
     */
    public record Surroundings(
            Path folder,
            Interruption interruption,
            Progress progress,
            Supplier<List<String>> others,
            Kept kept) {}

    /** Prepares. */
    public RunSession(RunRequest request, Surroundings surroundings) throws IOException {
        this(request, surroundings, Clock.SYSTEM);
    }

    /** Prepares; the work has to go on in that time too. */
    RunSession(RunRequest request, Surroundings surroundings, Clock time) throws IOException {
        this.request = request;
        this.surroundings = surroundings;
        this.progress = surroundings.progress;
        Kept kept = surroundings.kept;
        Results earlier = kept.earlier();
        this.environment = earlier == null ? null : earlier.provenance().environment();
        this.cycles = CycleSource.open();
        this.host = new HubHost(
                request.program(),
                surroundings.folder,
                progress,
                surroundings.interruption::awaitDone);
        this.time = time;
        this.meter = new RepeatMeter(request, host, cycles, progress, time);
        this.limits = new RateLimits(request, surroundings);
        for (ScenarioRequest scenario : request.scenarios()) {
            parts.add(new Part(scenario));
        }
    }

    /** {@return what broke it off, in words; the results have what was measured until then} */
    public @Nullable String failure() {
        return failure;
    }

    /**
     * Measures everything that is not kept already.
     *
     * @throws UserError if nothing could be measured at all
     * @throws InterruptedException when it is told to end; what was measured until then is kept
     */
    public void run() throws IOException, InterruptedException {
        for (Part part : parts) {
            meter.requireRoom(part.request().hub(), part.request().source().pace());
        }
        surroundings
                .others
                .get()
                .forEach(other -> progress.note((request.sharedMachine()
                                ? "another run measures now, which the result will note: "
                                : "another run measures now; neither result will be"
                                        + " valid unless it ends first: ")
                        + other));
        try {
            RunRequest.Repeats repeats = request.repeats();
            for (int repeat = repeats.first();
                    repeat <= repeats.last() && failure == null;
                    repeat++) {
                for (Part part : new RandomBlocks(request.repeats().seed()).order(parts, repeat)) {
                    if (failure == null) {
                        measureOrSayWhy(part, repeat);
                    }
                }
                // Each repeat has a hub of its own: variation between processes must show up as
                // repeats.
                if (failure == null) {
                    stopHub();
                }
            }
            measureLatencies();
            measureLimits();
        } finally {
            progress.close();
            surroundings.kept.known(known());
        }
    }

    private void stopHub() throws InterruptedException {
        try {
            host.stop();
        } catch (UserError e) {
            failure = words(e);
        }
    }

    /** What was measured before must not be lost with them. */
    private void measureLimits() throws InterruptedException {
        try {
            if (request.extras().ceilings() && failure == null) {
                limits.measureCeilings(parts);
            }
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
            if (Thread.interrupted()) {
                // Files that are written just then are closed by it.
                throw new InterruptedException();
            }
            // A hub that goes refuses connections before its process has ended.
            String death = e instanceof IOException ? host.awaitDeath() : host.death();
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

    private void measure(Part part, int number) throws IOException, InterruptedException {
        String id = part.request().id();
        try {
            Repeat counted = surroundings.kept.repeat(id, number, () -> {
                part.add(outcome(part, number));
                Scenario scenario = Objects.requireNonNull(part.scenario());
                surroundings.kept.known(known());
                return part.counted(scenario);
            });
            Scenario earlier = surroundings.kept.earlier(id);
            if (!part.has(number) && earlier != null) {
                part.add(counted, earlier);
            }
            if (!counted.complete()) {
                throw new InterruptedException();
            }
            end(part.request().hub());
        } catch (InterruptedException e) {
            // A repeat whose server broke is not complete either.
            if (failure == null) {
                throw e;
            }
        }
    }

    private Part.Measured outcome(Part part, int repeat) throws IOException, InterruptedException {
        ScenarioRequest scenario = part.request();
        HubRequest own = scenario.hub();
        DriverWarmth driver = scenario.source() instanceof MailSource mail
                ? DriverWarmUp.run(mail, scenario.title(), mail.driverWarmUpMax(), progress, time)
                : null;
        RepeatMeter.Attempt attempt = new RepeatMeter.Attempt(
                part,
                repeat,
                scenario.title() + " " + repeat + "/" + request.repeats().last(),
                own == null ? null : host.running(own),
                () -> surroundings.kept.samples(scenario.id()));
        look(
                scenario.source() instanceof MailSource mail && attempt.address() == null
                        ? mail.plan().target()
                        : attempt.address(),
                attempt.hub());
        Set<String> others = new TreeSet<>(surroundings.others.get());
        Measurement.Outcome outcome = meter.measure(attempt, environment());
        failure = meter.failure();
        if (scenario.source() instanceof MailSource mail) {
            outcome = outcome.noted(LoadDriver.notes(mail.plan().dialogue().tls() != null));
        }
        outcome = disturbed(outcome.warmedBy(driver).noted(notes()), others)
                .in(surroundings.kept.sitting());
        Conditions conditions =
                own == null ? scenario.conditions() : host.complete(scenario.conditions(), own);
        say(attempt.title(), outcome);
        return new Part.Measured(outcome, conditions);
    }

    private void end(@Nullable HubRequest own) throws InterruptedException {
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

    /**
     * The latency at a part of the rate of all repeats: neither a closed loop nor a server at its limit
     * shows what mail from outside would see. One more block, with a hub of its own. What was measured
     * before must not be lost with it.
     */
    private void measureLatencies() throws InterruptedException {
        LatencyRequest latency = request.extras().latencyAt();
        if (latency == null || failure != null || parts.stream().noneMatch(latency::isWanted)) {
            return;
        }
        // One block has them all, so that one which is missing has all measured again.
        if (parts.stream()
                .filter(latency::isWanted)
                .allMatch(part -> earlierLatency(part) != null)) {
            parts.forEach(part -> part.beside(earlierLatency(part)));
            return;
        }
        try {
            for (Part part : parts) {
                if (failure == null && latency.isWanted(part)) {
                    measureLatency(part, latency);
                }
            }
            stopHub();
        } catch (IOException | UserError e) {
            progress.note("no latency at a lower rate: " + words(e));
        }
    }

    private @Nullable LatencyAt earlierLatency(Part part) {
        Scenario earlier = surroundings.kept.earlier(part.request().id());
        return earlier == null ? null : earlier.latencyAt();
    }

    private void measureLatency(Part part, LatencyRequest latency)
            throws IOException, InterruptedException {
        Scenario scenario = part.scenario();
        HubRequest hub = part.request().hub();
        double rate = scenario == null ? 0 : latency.ratePerSecond(scenario);
        if (hub == null || rate <= 0) {
            return;
        }
        String title = part.request().title()
                + String.format(
                        Locale.ROOT, " latency at %.0f%%, %.1f msg/s", latency.percent(), rate);
        RepeatMeter.Attempt attempt = new RepeatMeter.Attempt(
                part, 1, title, host.running(hub), () -> new Series(Samples.KEYS));
        Set<String> others = new TreeSet<>(surroundings.others.get());
        Pace pace = Pace.OpenLoop.of(rate, latency.arrivals(), request.repeats().seed());
        Measurement.Outcome outcome =
                disturbed(meter.measure(attempt, pace, environment()), others);
        failure = meter.failure();
        if (outcome.interrupted()) {
            throw new InterruptedException();
        }
        if (outcome.isComplete()) {
            part.beside(LatencyAt.of(latency.percent(), rate, outcome.repeat()));
        }
        end(hub);
    }

    /** On a machine that is known to be shared it is said, and else is a reason not to be valid. */
    private Measurement.Outcome disturbed(Measurement.Outcome outcome, Set<String> others) {
        Measurement.Outcome disturbed = outcome;
        others.addAll(surroundings.others.get());
        MachineUse use = outcome.repeat().figures().measured().machineUse();
        for (String reason : use.disturbances(List.copyOf(others))) {
            disturbed = request.sharedMachine()
                    ? disturbed.noted(List.of("the machine is shared: " + reason))
                    : disturbed.invalid(reason);
        }
        return disturbed;
    }

    /**
     * {@return messages a second that the log device holds by itself, written as the first scenario
     * wrote it; null where that isn't known} After {@link #run}; about 1.5 s.
     */
    public @Nullable Double logCeiling() throws IOException, InterruptedException {
        Scenario scenario = parts.getFirst().scenario();
        if (scenario == null || failure != null) {
            return null;
        }
        return limits.logDevice(parts.getFirst(), scenario);
    }

    private void say(String title, Measurement.Outcome outcome) {
        Double rate = outcome.repeat().figures().get(Figure.THROUGHPUT_MSGS_PER_S);
        String unsteady = outcome.repeat().warmUp().reason();
        progress.note(String.format(
                Locale.ROOT,
                "%s: %.0f msg/s%s",
                title,
                rate == null ? 0 : rate,
                unsteady == null ? "" : ", not steady: " + unsteady));
        outcome.repeat().notes().forEach(note -> progress.note(title + ": " + note));
    }

    /** Once: before the first load, so that it disturbs none. */
    private void look(@Nullable InetSocketAddress server, @Nullable MeasuredHub hub) {
        if (!looked) {
            looked = true;
            environment =
                    machine().with(Disclosure.of(server, hub == null ? null : hub.processId()));
        }
    }

    private Environment environment() {
        Environment known = environment;
        return known == null ? machine() : known;
    }

    private Environment machine() {
        if (request.target().watched() != null) {
            return Machine.inspect(List.of());
        }
        List<VolumeDisclosure> ours = host.volumes();
        return Machine.inspect(ours.isEmpty() ? request.target().volumes() : ours);
    }

    /**
     * Knowledge of a session beside its repeats, as far as it has come.
     *
     * @param scenarios those of which anything was measured
     * @param environment the driver's machine, and the server's unless that is another
     * @param settings what the last hub says is in force
     * @param publication not judged yet; null where nobody asked
     * @param server the server's machine, where that is another; else null
     * @param watch how its counters were read; else null
     */
    public record Known(
            List<Scenario> scenarios,
            Environment environment,
            Map<String, Object> settings,
            @Nullable Publication publication,
            @Nullable Environment server,
            @Nullable TargetWatch watch) {}

    /** {@return what is known by now} */
    public Known known() throws IOException {
        List<Scenario> scenarios = new ArrayList<>();
        for (Part part : parts) {
            Scenario scenario = part.scenario();
            if (scenario != null) {
                scenarios.add(limits.with(scenario));
            }
        }
        WatchedMachine watched = request.target().watched();
        PublishRequest publish = request.extras().publish();
        return new Known(
                scenarios,
                environment(),
                host.settings(),
                publish == null ? null : Publication.unjudged(publish.form()),
                watched == null ? null : watched.environment(),
                watched == null ? null : watched.account());
    }

    /** Kills the hub if it still runs and frees everything. */
    @Override
    public void close() throws IOException {
        host.close();
        cycles.close();
        parts.forEach(Part::close);
        progress.close();
    }
}
