package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.hub.HubHistograms;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.document.AcceptLatency;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.CheckpointCycles;
import org.hubmark.bench.mail.document.ClockRate;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.OpenAtEnd;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Validity;
import org.hubmark.bench.mail.document.WarmUp;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One repeat of one scenario: warm-up, measured time with a sample a second, drain. One thread; when
 * that is interrupted, what was measured until the last sample counts.
 */
public final class Measurement {
    /** A duration for work that ends by itself. */
    public static final Duration UNTIL_FINISHED = Duration.ofDays(1);

    private static final Duration SAMPLE = Duration.ofSeconds(1);
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(2);
    /** Longest wait if nothing drains, for counters of the hub that lag behind its answers. */
    private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration DRAIN_POLL = Duration.ofMillis(50);

    private final Plan plan;
    private final Workload work;
    private final Instruments instruments;
    private final Series samples;
    private final Progress progress;
    private final Histogram latencies = new Histogram(3);
    private final Histogram uncorrected = new Histogram(3);
    private final Histogram lateness = new Histogram(3);
    private final Histogram atTheEnd = new Histogram(3);
    private final Standstill standstill;
    private final StepMeter steps;
    private final @Nullable SustainedRule sustained;
    private @Nullable OpenAtEnd open;
    private @Nullable HubHistograms ofHub;
    private CheckpointFit.@Nullable Edge beganAt;
    private CheckpointFit.@Nullable Edge endedAt;
    private long queueMax;
    private double queueBytesMax;
    private ClockRate rate;
    private boolean interrupted;
    private @Nullable IOException broken;

    /**
     * Plan of a measurement.
     *
     * @param repeat from 1
     * @param title what the progress line says
     * @param pace that the work keeps; each step of its rate gets figures of its own
     * @param searched what a search was asked for that found its rate, so that the rate is none
     *     that limits, and is judged again over the measured time; null for other rates
     * @param keepsQueue whether the hub stores what it accepts; else there is nothing to account
     *     for but what it accepted
     * @param drains whether the queue empties by itself
     * @param checkpoints how the measured time is fitted to them; null where it isn't
     */
    public record Plan(
            int repeat,
            String title,
            LoadTimes times,
            Pace pace,
            Pace.@Nullable MaxSustained searched,
            boolean keepsQueue,
            boolean drains,
            @Nullable CheckpointFit checkpoints,
            int logicalCores) {}

    /**
     * How long the load of a repeat takes.
     *
     * @param jitWarmUp load as fast as it goes, which the caller puts before all else: at a low rate a fresh
     *     server would take many minutes until its code is compiled; zero for none
     * @param warmup load before the measured time, at least; zero for none
     * @param warmupMax load before the measured time, at most: it ends when the load is steady
     * @param untilSteady whether only that ends it; else it ends too when the server is warm and the load
     *     is not steady all the same: what scatters then is the machine, and waiting mends nothing
     * @param duration the measured time; {@link #UNTIL_FINISHED} for a load that ends by itself, which
     *     has no warm-up
     */
    public record LoadTimes(
            Duration jitWarmUp,
            Duration warmup,
            Duration warmupMax,
            boolean untilSteady,
            Duration duration) {
        /** Those without a load before all else, whose warm-up ends when the load is steady. */
        public LoadTimes(Duration warmup, Duration warmupMax, Duration duration) {
            this(Duration.ZERO, warmup, warmupMax, true, duration);
        }
    }

    /**
     * Outcome of a measurement.
     *
     * @param repeat what was counted
     * @param interrupted whether it ended early; the repeat then counts as not valid
     * @param broken what made it impossible to go on, or null; the repeat has what was measured
     *     until then
     * @param notSustained why the rate that was searched was not sustained over the measured time,
     *     or null
     */
    public record Outcome(
            Scenario.Repeat repeat,
            boolean interrupted,
            @Nullable IOException broken,
            @Nullable String notSustained) {
        /** {@return whether it was measured to its end} One that was not does not count beside those that were. */
        public boolean isComplete() {
            return !interrupted && broken == null;
        }

        /** {@return the same, of which more is known} */
        public Outcome with(Scenario.Repeat other) {
            return new Outcome(other, interrupted, broken, notSustained);
        }

        /** {@return the same, not valid for one reason more} */
        public Outcome invalid(Reason reason) {
            return with(repeat.invalid(reason));
        }
    }

    /** Prepares; the work has not begun. */
    public Measurement(
            Plan plan, Workload work, Instruments instruments, Series samples, Progress progress) {
        this.plan = plan;
        this.work = work;
        this.instruments = instruments;
        this.samples = samples;
        this.progress = progress;
        this.rate = new ClockRate(null, null, instruments.cyclesSource());
        this.standstill = new Standstill();
        this.steps = new StepMeter(plan.pace(), plan.logicalCores());
        Pace.MaxSustained searched = plan.searched();
        this.sustained = searched == null ? null : new SustainedRule(searched, plan.drains());
    }

    /**
     * Measures.
     *
     * @throws InterruptedException if it came before the measured time: there is nothing to tell
     */
    public Outcome run() throws IOException, InterruptedException {
        Snapshot begin = instruments.read(work);
        HubHistograms hubBefore;
        Snapshot from;
        WarmUp warmUp = WarmUp.NONE;
        if (plan.times().warmup().isZero()) {
            // Everything counts, from the first message on.
            hubBefore = ofHub(true);
            from = begin;
            work.begin();
            steps.begin(work.beginStages(), from);
        } else {
            work.begin();
            warmUp = WarmUpMeter.run(
                    plan.title(),
                    new WarmUpMeter.Bounds(
                            plan.times().warmup(),
                            plan.times().warmupMax(),
                            plan.times().untilSteady()),
                    work,
                    instruments,
                    progress,
                    begin);
            awaitCheckpoint(begin);
            hubBefore = ofHub(true);
            TakenLatencies.of(work);
            work.takeLateness();
            long stagesNanos = work.beginStages();
            from = instruments.read(work);
            steps.begin(stagesNanos, from);
        }
        Instant startedAt = Instant.now();
        Snapshot to;
        try (Standstill looking = standstill) {
            // In simulated time only what waits itself tells.
            if (instruments.time().equals(Clock.SYSTEM)) {
                looking.begin();
            }
            to = measure(begin, from);
        }
        if (to.nanos() == from.nanos()) {
            throw nothing();
        }
        lateness.add(work.takeLateness());
        Snapshot end = finish(begin, to, hubBefore);
        instruments.measured(from, to);
        Window window = new Window(from, to, plan.logicalCores());
        // A rate that was searched is a result: what kept it from being higher limits.
        Double asked = plan.searched() == null ? plan.pace().ratePerSecond() : null;
        Limiting used = new Bottleneck(
                        window,
                        asked,
                        work.threads(),
                        AcceptLatency.of(latencies),
                        instruments.held())
                .find(to.tellsOfServer());
        Limiting limiting =
                Bottleneck.beside(used, window, instruments.logProfile(), instruments.isShared());
        Accounts accounts = Accounts.of(begin, end, plan.keepsQueue());
        List<Reason> reasons = ValidityRules.reasons(
                accounts, end.load(), window, limiting, lateness, interrupted);
        String stood = MachineUse.stoodStill((double) standstill.nanos(), 1e9 * window.seconds());
        if (stood != null) {
            reasons.add(new Reason(Case.STOPPED, stood));
        }
        Repeat.Builder counted = Repeat.counted()
                .complete(!interrupted && broken == null)
                .name(MailDocument.REPEAT, plan.repeat())
                .name(MailDocument.STARTED_AT, startedAt.toString())
                .name(MailDocument.COUNTER_SOURCE, window.counterSource())
                .name(MailDocument.OPEN_AT_END, open)
                .name(MailDocument.CHECKPOINT_CYCLES, cycles(window))
                .name(MailDocument.DISTURBANCES, List.of())
                .times(Figure.ACCEPT, latencies)
                .times(Figure.UNCORRECTED, uncorrected)
                .times(Figure.OPEN, atTheEnd)
                .parts(MailDocument.STEPS, steps.end())
                .samples(samples);
        MailDocument.names(warmUp, limiting, rate, Validity.of(reasons))
                .forEach((key, value) -> counted.name(Name.note(key, ""), value));
        window.counted().counters().forEach((key, value) -> counted.count(new Counter(key), value));
        accounts.count(counted);
        if (to.hub() != null && plan.keepsQueue()) {
            counted.count(Counters.QUEUE_MAX_MSGS, queueMax)
                    .count(Counters.QUEUE_MAX_BYTES, queueBytesMax);
        }
        HubHistograms known = ofHub;
        if (known != null) {
            counted.name(MailDocument.GROUPS, known.groups());
        }
        Histogram residence = known == null ? null : known.residence();
        if (residence != null) {
            counted.times(Figure.IN_QUEUE, residence);
        }
        if (lateness.getTotalCount() > 0) {
            counted.times(Figure.LATE, lateness);
        }
        Scenario.Repeat repeat = new Scenario.Repeat(counted.made());
        return new Outcome(
                repeat.noted(notes(from, to, repeat)), interrupted, broken, notSustained(window));
    }

    private @Nullable String notSustained(Window window) {
        SustainedRule rule = sustained;
        RateSearch.Answer answer = rule == null
                ? RateSearch.Answer.kept()
                : rule.verdict(latencies, lateness, window.driverThreadPercent(work.threads()));
        return answer.sustained() ? null : answer.words();
    }

    private List<String> notes(Snapshot from, Snapshot to, Scenario.Repeat repeat) {
        List<String> notes = new ArrayList<>(Pressure.notes(from.hub(), to.hub()));
        if (!to.elsewhere() && repeat.get(Figure.SERVER_CPU_US_PER_MSG) != null) {
            notes.addAll(repeat.machineUse().unknowns());
        }
        if (open != null) {
            notes.addAll(ValidityRules.openAtEnd(open, plan.pace()));
        }
        return notes;
    }

    private InterruptedException nothing() throws IOException {
        if (broken != null) {
            throw broken;
        }
        return new InterruptedException("before the first sample");
    }

    /** Drains, unless it is broken off already or breaks now. */
    private Snapshot finish(Snapshot begin, Snapshot to, @Nullable HubHistograms hubBefore)
            throws InterruptedException {
        if (interrupted || broken != null) {
            return breakOff(to);
        }
        try {
            HubHistograms hubAfter = ofHub(false);
            ofHub = hubBefore == null || hubAfter == null ? null : hubAfter.since(hubBefore);
            return drain(begin);
        } catch (IOException e) {
            broken = e;
            return breakOff(to);
        }
    }

    private void awaitCheckpoint(Snapshot begin) throws IOException, InterruptedException {
        CheckpointFit fit = plan.checkpoints();
        if (fit == null) {
            return;
        }
        progress.phase(plan.title() + " until a checkpoint ends", Duration.ZERO);
        Snapshot since = instruments.read(work);
        Snapshot now = since;
        while (true) {
            beganAt = fit.edge(begin.hub(), since.hub(), now.hub(), now.nanos() - since.nanos());
            if (beganAt != null) {
                return;
            }
            instruments.time().sleep(CheckpointFit.POLL);
            now = instruments.read(work);
        }
    }

    /** {@return the last sample: of the end of a checkpoint, unless none comes} */
    private Snapshot sampleUntilCheckpoint(
            CheckpointFit fit, HubClient hub, Snapshot begin, Snapshot from, Snapshot end) {
        Snapshot last = end;
        try {
            while (endedAt == null) {
                long waitedNanos = instruments.time().nanos() - end.nanos();
                endedAt = fit.edge(begin.hub(), end.hub(), hub.metrics(), waitedNanos);
                boolean ended = endedAt == CheckpointFit.Edge.ENDED;
                if (ended || instruments.time().nanos() - last.nanos() >= SAMPLE.toNanos()) {
                    last = sample(from, last);
                }
                if (endedAt == null) {
                    instruments.time().sleep(CheckpointFit.POLL);
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            broken = e;
        }
        return last;
    }

    private @Nullable CheckpointCycles cycles(Window window) {
        CheckpointFit fit = plan.checkpoints();
        return fit == null || beganAt == null || endedAt == null
                ? null
                : fit.judge(beganAt, endedAt, window.get(Figure.CHECKPOINTS));
    }

    private Snapshot measure(Snapshot begin, Snapshot from) {
        boolean timed = !plan.times().duration().equals(UNTIL_FINISHED);
        progress.phase(plan.title() + " measure", timed ? plan.times().duration() : Duration.ZERO);
        judge(from);
        Snapshot last = from;
        long endNanos = from.nanos() + plan.times().duration().toNanos();
        Silence silence = new Silence(plan.pace(), progress);
        boolean finished = false;
        for (long dueNanos = from.nanos(); dueNanos < endNanos && !finished; ) {
            dueNanos = steps.untilEnd(Math.min(dueNanos + SAMPLE.toNanos(), endNanos));
            try {
                long beganNanos = instruments.time().nanos();
                long leftNanos = Math.max(0, dueNanos - beganNanos);
                finished = work.awaitFinished(Duration.ofNanos(leftNanos));
                standstill.woke(beganNanos + leftNanos, instruments.time().nanos());
                last = sample(from, last);
                finished |= !timed && silence.isOver(last.load(), last.nanos());
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            } catch (IOException e) {
                broken = e;
                break;
            }
        }
        CheckpointFit fit = plan.checkpoints();
        HubClient hub = instruments.hub();
        if (fit != null && hub != null && !interrupted && broken == null) {
            last = sampleUntilCheckpoint(fit, hub, begin, from, last);
        }
        if (!interrupted && broken == null) {
            endWork();
        }
        return last;
    }

    /**
     * What is open at the end has no latency yet and would be in no histogram, so that a server that
     * stands still until then looks fast. At a fixed rate it counts with the age it has, which is less
     * than its latency will be, never more. A closed loop has no intended starts to count from.
     */
    private void endWork() {
        try {
            Workload.Open left = work.end();
            TakenLatencies last = TakenLatencies.of(work);
            if (plan.pace() instanceof Pace.OpenLoop) {
                count(last.with(left));
            }
            Histogram ages = left.intended();
            open = new OpenAtEnd(
                    left.begun(),
                    left.unbegun(),
                    ages.getTotalCount() == 0 ? null : (Double) (ages.getMaxValue() / 1e6));
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }

    /** Counted by itself too, since these messages are in no rate. */
    private void count(TakenLatencies atEnd) {
        latencies.add(atEnd.intended());
        uncorrected.add(atEnd.actual());
        steps.count(atEnd.intended(), atEnd.actual());
        atTheEnd.add(atEnd.intended());
    }

    private Snapshot sample(Snapshot from, Snapshot last) throws IOException {
        Snapshot now = instruments.read(work);
        rate = rate.with(new Window(last, now, plan.logicalCores()).get(Figure.CPU_CLOCK_MHZ));
        TakenLatencies second = TakenLatencies.of(work);
        latencies.add(second.intended());
        uncorrected.add(second.actual());
        samples.sample(
                Samples.of(steps.step(), from, last, now, second.intended(), plan.logicalCores()));
        watchQueue(now);
        judge(now);
        progress.show(steps.words(), from, last, now);
        steps.sample(now, second.intended(), second.actual());
        return now;
    }

    private void judge(Snapshot now) {
        if (sustained != null) {
            sustained.add(now);
        }
    }

    private void watchQueue(Snapshot now) {
        HubCounters hub = now.hub();
        if (hub != null) {
            queueMax = Math.max(
                    queueMax,
                    Math.round(
                            largest(hub, "hubmark_queue_messages", "hubmark_queue_messages_max")));
            queueBytesMax = Math.max(
                    queueBytesMax, largest(hub, "hubmark_queue_bytes", "hubmark_queue_bytes_max"));
        }
    }

    private static double largest(HubCounters hub, String now, String max) {
        Double current = hub.get(now);
        Double largest = hub.get(max);
        return Math.max(current == null ? 0 : current, largest == null ? 0 : largest);
    }

    /** Ends the load and waits until every accepted message is accounted for, or time is over. */
    private Snapshot drain(Snapshot begin) throws IOException, InterruptedException {
        progress.phase(plan.title() + " drain", Duration.ZERO);
        work.stop(ANSWERS_TIMEOUT);
        Duration timeout = plan.drains() ? DRAIN_TIMEOUT : SETTLE_TIMEOUT;
        long endNanos = instruments.time().nanos() + timeout.toNanos();
        Snapshot now = instruments.read(work);
        while (instruments.time().nanos() < endNanos && !Accounts.settled(begin, now, plan)) {
            instruments.time().sleep(DRAIN_POLL);
            now = instruments.read(work);
        }
        return now;
    }

    /** There may be no time to wait for answers, and no hub any more to ask. */
    private Snapshot breakOff(Snapshot last) {
        try {
            work.stop(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return last.brokenOff(work.snapshot());
    }

    private @Nullable HubHistograms ofHub(boolean reset) throws IOException {
        HubClient hub = instruments.hub();
        return hub == null ? null : hub.histograms(reset);
    }
}
