package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.WatchedMachine;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.DriverWarmth;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.WarmUp;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.meter.RandomBlocks;
import org.hubmark.bench.mail.meter.Samples;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
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
 * that what drifts on the machine touches all alike. The scenarios of a run share a hub within a block;
 * those of a matrix have one each, on volumes of their own. How to use it: make one, {@link #run}, look at
 * {@link #failure} and {@link #failures}, close. One thread; when that is interrupted, the context has what
 * was measured until then.
 */
final class RunSession implements AutoCloseable {
    private final RunRequest request;
    private final Context context;
    private final Progress progress;
    private final HubHost host;
    private final CycleSource cycles;
    private final RepeatMeter meter;
    private final Clock time;
    private final List<Part> parts = new ArrayList<>();
    /** Why a scenario of a matrix was not measured to its end, by its id. */
    private final Map<String, String> failures = new LinkedHashMap<>();

    private Environment environment;
    private boolean looked;
    private VolumeSource.@Nullable Ready ready;
    private @Nullable String failure;
    private int attempts;
    private long attemptsNanos;

    /** Prepares, with the repeats that an interrupted run has left; the work has to go on in that time. */
    RunSession(
            RunRequest request,
            Context context,
            Interruption interruption,
            Progress progress,
            Clock time)
            throws IOException {
        this.request = request;
        this.context = context;
        this.progress = progress;
        this.environment = context.environment();
        this.cycles = CycleSource.open();
        this.host =
                new HubHost(request.program(), context.folder(), progress, interruption::awaitDone);
        this.time = time;
        this.meter = new RepeatMeter(request, host, cycles, progress, time);
        for (ScenarioRequest scenario : request.scenarios()) {
            parts.add(new Part(scenario, context));
        }
    }

    /** {@return what broke it off, in words; the context has what was measured until then} */
    @Nullable
    String failure() {
        return failure;
    }

    /** {@return why scenarios of a matrix were not measured to their end, by id} */
    Map<String, String> failures() {
        return failures;
    }

    /**
     * Measures everything that is not kept already.
     *
     * @throws UserError if nothing could be measured at all
     * @throws InterruptedException when it is told to end; what was measured until then is kept
     */
    void run() throws IOException, InterruptedException {
        for (Part part : parts) {
            meter.requireRoom(part.hub(), part.request().source().pace());
        }
        context.others()
                .forEach(other -> progress.note((request.sharedMachine()
                                ? "another run measures now, which the result will note: "
                                : "another run measures now; neither result will be"
                                        + " valid unless it ends first: ")
                        + other));
        try {
            for (int repeat = 1; repeat <= request.repeats().count(); repeat++) {
                for (Part part : new RandomBlocks(request.repeats().seed()).order(parts, repeat)) {
                    measureOrSayWhy(part, repeat);
                }
                // Each repeat has a hub of its own: variation between processes must show up as
                // repeats.
                stopHub();
            }
            if (request.cells() == null) {
                measureLatencies();
                measureCeilings();
            }
        } finally {
            progress.close();
            keep();
        }
    }

    private boolean goesOn(Part part) {
        return failure == null && !failures.containsKey(part.request().id());
    }

    /** The other scenarios of a matrix may do well. */
    private void fail(Part part, int repeat, String reason) {
        if (request.cells() == null) {
            failure = reason;
        } else {
            failures.put(part.request().id(), "repeat " + repeat + ": " + reason);
            progress.note("failed: " + reason);
        }
    }

    private void stopHub() throws InterruptedException {
        if (failure == null) {
            try {
                host.stop();
            } catch (UserError e) {
                failure = words(e);
            }
        }
    }

    /**
     * When our hub has died, that is what must be said, whatever failed because of it. What was
     * measured before is kept.
     */
    private void measureOrSayWhy(Part part, int repeat) throws IOException, InterruptedException {
        boolean isLast = request.cells() != null && repeat == request.repeats().count();
        if (!goesOn(part) || (part.repeats() >= repeat && !(isLast && lacksLatency(part)))) {
            return;
        }
        long begun = System.nanoTime();
        try {
            measure(part, repeat);
            release(part);
        } catch (IOException | UserError e) {
            if (Thread.interrupted()) {
                // Files that are written just then are closed by it.
                throw new InterruptedException();
            }
            // A hub that goes refuses connections before its process has ended.
            String death = e instanceof IOException ? host.awaitDeath() : host.death();
            boolean isOfAll = request.cells() == null
                    ? parts.stream().allMatch(one -> one.scenario() == null)
                    : e instanceof IOException;
            if (death == null && isOfAll) {
                throw e;
            }
            fail(part, repeat, death == null ? words(e) : death);
            if (request.cells() != null) {
                host.close();
                release(part);
            }
        }
        attempts++;
        attemptsNanos += System.nanoTime() - begun;
    }

    static String words(Exception e) {
        if (e instanceof IOException io) {
            return FileErrors.reason(io);
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private void measure(Part part, int number) throws IOException, InterruptedException {
        if (part.repeats() < number) {
            count(part, number);
        }
        if (request.cells() != null && goesOn(part)) {
            // Its volumes are ready just now.
            if (number == request.repeats().count() && lacksLatency(part)) {
                measureLatency(part);
            }
            host.stop();
            if (ready != null) {
                measureCeiling(part);
            }
        }
    }

    private void count(Part part, int number) throws IOException, InterruptedException {
        try {
            var unused = context.repeat(MailDocument.SCENARIOS, part.id(), number, () -> {
                Measured measured = outcome(part, number);
                requireWhole(measured.outcome);
                Repeat counted = part.counted(measured.outcome, measured.conditions);
                keep();
                return counted;
            });
            end(part.hub());
        } catch (InterruptedException e) {
            // A repeat whose server broke is not complete either.
            if (failure == null) {
                throw e;
            }
        }
    }

    /** No effect is made of a cell of which a part was measured. */
    private void requireWhole(Measurement.Outcome outcome) throws InterruptedException {
        if (request.cells() != null && !outcome.isComplete()) {
            if (outcome.interrupted()) {
                throw new InterruptedException();
            }
            String broken = meter.failure();
            throw UserError.failed(broken == null ? "nothing was measured" : broken);
        }
    }

    /** {@return the hub of a scenario, on volumes that are ready; null where another server is measured} */
    private @Nullable HubRequest ready(Part part) throws IOException {
        VolumeSource volumes = part.request().volumes();
        HubRequest planned = part.request().hub();
        if (volumes != null && planned != null && ready == null) {
            VolumeSource.Ready now = volumes.ready(planned);
            ready = now;
            part.on(now.hub());
        }
        return part.hub();
    }

    /** Gives the volumes of a cell back; a hub on them has ended then. */
    private void release(Part part) throws IOException, InterruptedException {
        VolumeSource.Ready held = ready;
        if (held != null) {
            host.stop();
            // What so many cells send has no room in memory at once.
            part.request().source().close();
            ready = null;
            held.close();
        }
    }

    /** A repeat that was measured. */
    private record Measured(Measurement.Outcome outcome, Conditions conditions) {}

    private Measured outcome(Part part, int repeat) throws IOException, InterruptedException {
        ScenarioRequest scenario = part.request();
        if (request.cells() != null) {
            progress.note(howFar(part, repeat));
        }
        HubRequest own = ready(part);
        DriverWarmth driver = scenario.source() instanceof MailSource mail
                ? DriverWarmUp.run(mail, scenario.title(), mail.driverWarmUpMax(), progress, time)
                : null;
        RepeatMeter.Attempt attempt = new RepeatMeter.Attempt(
                part,
                repeat,
                scenario.title() + " " + repeat + "/" + request.repeats().count(),
                own == null ? null : host.running(own),
                () -> context.series(MailDocument.SCENARIOS, part.id(), Samples.KEYS));
        look(
                scenario.source() instanceof MailSource mail && attempt.address() == null
                        ? mail.plan().target()
                        : attempt.address(),
                attempt.hub());
        Set<String> others = new TreeSet<>(context.others());
        Measurement.Outcome outcome = meter.measure(attempt, environment);
        String broken = meter.failure();
        if (request.cells() == null) {
            failure = broken;
        }
        if (scenario.source() instanceof MailSource mail) {
            outcome = outcome.with(outcome.repeat()
                    .noted(LoadDriver.notes(mail.plan().dialogue().tls() != null)));
        }
        outcome = disturbed(outcome.with(outcome.repeat().warmedBy(driver).noted(notes())), others);
        Conditions conditions =
                own == null ? scenario.conditions() : host.complete(scenario.conditions(), own);
        say(attempt.title(), outcome);
        return new Measured(outcome, conditions);
    }

    /** The time left is what each has taken so far, times how many are left. */
    private String howFar(Part part, int repeat) {
        int all = parts.size() * request.repeats().count();
        int done = parts.stream().mapToInt(Part::repeats).sum();
        String left = attempts == 0
                ? ""
                : ", about "
                        + RunEstimate.text(
                                Duration.ofNanos(attemptsNanos / attempts * (all - done)))
                        + " left";
        return "cell " + part.request().id() + ", repeat " + repeat + " of "
                + request.repeats().count() + " (" + done + " of " + all + " done" + left + ")";
    }

    private void end(@Nullable HubRequest own) throws InterruptedException {
        if (own != null && own.holds() && failure == null) {
            host.stop();
        }
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(environment.notes());
        WatchedMachine watched = request.target().watched();
        String lost = watched == null ? null : watched.lost();
        if (lost != null) {
            notes.add("nothing is known of the server's machine any more: " + lost);
        }
        return notes;
    }

    /**
     * The latency at a part of the rate of all repeats: neither a closed loop nor a server at its limit
     * shows what mail from outside would see. One more block, with a hub of its own.
     */
    private void measureLatencies() throws InterruptedException {
        // One block has them all, so that one which is missing has all measured again.
        if (parts.stream().noneMatch(this::lacksLatency)) {
            return;
        }
        LatencyRequest latency = Objects.requireNonNull(request.extras().latencyAt());
        for (Part part : parts) {
            if (goesOn(part) && latency.isWanted(part)) {
                measureLatency(part);
            }
        }
        stopHub();
    }

    private boolean lacksLatency(Part part) {
        LatencyRequest latency = request.extras().latencyAt();
        Scenario scenario = part.scenario();
        return latency != null
                && latency.isWanted(part)
                && (scenario == null || scenario.latencyAt() == null);
    }

    /** What was measured before must not be lost with it. */
    private void measureLatency(Part part) throws InterruptedException {
        try {
            LatencyAt found =
                    latency(part, Objects.requireNonNull(request.extras().latencyAt()));
            if (found != null) {
                part.describe(MailDocument.LATENCY_AT, found);
            }
        } catch (IOException | UserError e) {
            progress.note("no latency at a lower rate: " + words(e));
        }
    }

    private @Nullable LatencyAt latency(Part part, LatencyRequest latency)
            throws IOException, InterruptedException {
        Scenario scenario = part.scenario();
        double rate = scenario == null ? 0 : latency.ratePerSecond(scenario);
        HubRequest hub = rate <= 0 ? null : ready(part);
        if (hub == null) {
            return null;
        }
        String title = part.request().title()
                + String.format(
                        Locale.ROOT, " latency at %.0f%%, %.1f msg/s", latency.percent(), rate);
        RepeatMeter.Attempt attempt = new RepeatMeter.Attempt(
                part, 1, title, host.running(hub), () -> new Series(Samples.KEYS));
        Set<String> others = new TreeSet<>(context.others());
        Pace pace = Pace.OpenLoop.of(rate, latency.arrivals(), request.repeats().seed());
        Measurement.Outcome outcome = disturbed(meter.measure(attempt, pace, environment), others);
        String broken = meter.failure();
        if (broken != null) {
            fail(part, request.repeats().count(), broken);
        }
        if (outcome.interrupted()) {
            throw new InterruptedException();
        }
        end(hub);
        return outcome.isComplete()
                ? LatencyAt.of(latency.percent(), rate, outcome.repeat())
                : null;
    }

    private void measureCeilings() throws InterruptedException {
        for (Part part : parts) {
            if (failure == null) {
                measureCeiling(part);
            }
        }
    }

    /**
     * Measures the ceiling of a scenario, unless it is known or nobody asks for it. Its hub has ended. What
     * was measured before must not be lost with it.
     */
    private void measureCeiling(Part part) throws InterruptedException {
        Scenario scenario = part.scenario();
        if (!request.extras().ceilings() || scenario == null || scenario.ceilings() != null) {
            return;
        }
        progress.phase("ceiling: log device", CeilingProbe.WRITING);
        try {
            Double found =
                    CeilingProbe.logDevice(part, scenario, request.repeats().seed());
            if (found != null) {
                part.describe(MailDocument.LOG_DEVICE, found);
            }
        } catch (IOException | UserError e) {
            progress.note("no ceiling of the log device: " + words(e));
        }
    }

    /** On a machine that is known to be shared it is said, and else is a reason not to be valid. */
    private Measurement.Outcome disturbed(Measurement.Outcome outcome, Set<String> others) {
        Measurement.Outcome disturbed = outcome;
        others.addAll(context.others());
        MachineUse use = outcome.repeat().machineUse();
        for (String words : use.disturbances(List.copyOf(others))) {
            disturbed = request.sharedMachine()
                    ? disturbed.with(disturbed.repeat().disturbed(words))
                    : disturbed.invalid(new Reason(Case.DISTURBED, words));
        }
        return disturbed;
    }

    private void say(String title, Measurement.Outcome outcome) {
        Double rate = outcome.repeat().get(Figure.THROUGHPUT_MSGS_PER_S);
        WarmUp warmUp = outcome.repeat().warmUp();
        progress.note(String.format(
                Locale.ROOT,
                "%s: %.0f msg/s%s",
                title,
                rate == null ? 0 : rate,
                Boolean.FALSE.equals(warmUp.steady()) ? ", not steady: " + warmUp.reason() : ""));
        outcome.repeat().remarks().forEach(note -> progress.note(title + ": " + note));
    }

    /**
     * Once, before the first load, so that it disturbs none; the volumes of a matrix may lie on other
     * devices from cell to cell.
     */
    private void look(@Nullable InetSocketAddress server, @Nullable MeasuredHub hub) {
        List<VolumeDisclosure> before = environment.volumes();
        if (!looked) {
            looked = true;
            environment =
                    machine().with(Disclosure.of(server, hub == null ? null : hub.processId()));
        }
        if (request.cells() != null) {
            environment = environment.with(together(before, host.volumes()));
        }
    }

    private static List<VolumeDisclosure> together(
            List<VolumeDisclosure> first, List<VolumeDisclosure> second) {
        Map<List<Object>, VolumeDisclosure> volumes = new LinkedHashMap<>();
        for (VolumeDisclosure volume :
                Stream.concat(first.stream(), second.stream()).toList()) {
            List<Object> key = new ArrayList<>();
            key.add(volume.role());
            key.add(volume.path());
            key.add(volume.device());
            key.add(volume.emulates());
            key.add(volume.disk().writeCache());
            volumes.putIfAbsent(key, volume);
        }
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
    private void keep() throws IOException {
        context.environment(environment);
        Map<String, @Nullable Object> before = context.settings();
        host.settings().forEach((name, value) -> {
            // What differs from cell to cell is no setting of the whole.
            boolean differs = request.cells() != null
                    && before.containsKey(name)
                    && !String.valueOf(before.get(name)).equals(String.valueOf(value));
            context.setting(name, differs ? null : value);
        });
        PublishRequest publish = request.extras().publish();
        context.fact(
                MailDocument.PUBLISH,
                publish == null ? null : Publication.unjudged(publish.form()));
        WatchedMachine watched = request.target().watched();
        context.fact(MachineSections.SERVER, watched == null ? null : watched.environment());
        context.fact(MachineSections.WATCH, watched == null ? null : watched.account());
    }

    /** Kills the hub if it still runs and frees everything. */
    @Override
    public void close() throws IOException {
        host.close();
        if (ready != null) {
            ready.close();
        }
        cycles.close();
        parts.forEach(Part::close);
        progress.close();
    }
}
