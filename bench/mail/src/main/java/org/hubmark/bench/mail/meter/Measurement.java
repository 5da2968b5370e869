package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.hub.HubHistograms;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.MailDocument;
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
    /** From one look at all counters to the next. */
    private static final Duration SAMPLE = Duration.ofSeconds(1);

    /** A duration for work that ends by itself. */
    public static final Duration UNTIL_FINISHED = Duration.ofDays(1);

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
    private final Workload.Latency latencies = new Workload.Latency();
    private final Histogram lateness = new Histogram(3);
    private final Standstill standstill;
    private final @Nullable SustainedRule sustained;
    /** Before the first message; at the begin of the measured time; at its last sample. */
    private final Snapshot begin;

    private Snapshot from;
    private Snapshot last;
    private @Nullable HubHistograms ofHub;
    private long queueMax;
    private double queueBytesMax;
    /** What broke it off: an interruption, or what made it impossible to go on. */
    private @Nullable Exception brokenOff;

    /**
     * Plan of a measurement.
     *
     * @param repeat from 1
     * @param title what the progress line says
     * @param pace that the work keeps
     * @param searched what a search was asked for that found or tries its rate, so that the rate is none
     *     that limits, and is judged over the measured time; null for other rates
     * @param keepsQueue whether the hub stores what it accepts; else there is nothing to account
     *     for but what it accepted
     * @param drains whether the queue empties by itself
     */
    public record Plan(
            int repeat,
            String title,
            LoadTimes times,
            Pace pace,
            Pace.@Nullable MaxSustained searched,
            boolean keepsQueue,
            boolean drains,
            int logicalCores) {
        /** {@return the same at a rate that a search found} */
        public Plan at(Pace found, Pace.MaxSustained asked) {
            return new Plan(repeat, title, times, found, asked, keepsQueue, drains, logicalCores);
        }
    }

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

        /** {@return all of it, at most} */
        public Duration whole() {
            return jitWarmUp.plus(warmupMax).plus(duration);
        }
    }

    /**
     * Outcome of a measurement.
     *
     * @param repeat what was counted
     * @param brokenOff what ended it early, or null: an interruption, or what made it impossible to go
     *     on; the repeat has what was measured until then
     * @param sustained whether the rate that is searched for was, over the measured time
     */
    public record Outcome(
            Scenario.Repeat repeat, @Nullable Exception brokenOff, RateSearch.Answer sustained) {
        /** {@return whether it was measured to its end} One that was not does not count beside those that were. */
        public boolean isComplete() {
            return brokenOff == null;
        }

        /** {@return whether it was told to end} */
        public boolean interrupted() {
            return brokenOff instanceof InterruptedException;
        }

        /** {@return the same, of which more is known} */
        public Outcome with(Scenario.Repeat other) {
            return new Outcome(other, brokenOff, sustained);
        }

        /** {@return the same, not valid for one reason more} */
        public Outcome invalid(Reason reason) {
            return with(repeat.invalid(reason));
        }
    }

    /**
     * Reads the counters; the work has not begun.
     *
     * @param samples gets those of the measured time
     */
    public Measurement(
            Plan plan, Workload work, Instruments instruments, Series samples, Progress progress)
            throws IOException {
        this.plan = plan;
        this.work = work;
        this.instruments = instruments;
        this.samples = samples;
        this.progress = progress;
        this.standstill = new Standstill();
        Pace.MaxSustained searched = plan.searched();
        this.sustained = searched == null ? null : new SustainedRule(searched, plan.drains());
        this.begin = instruments.read(work);
        this.from = begin;
        this.last = begin;
    }

    /**
     * Measures.
     *
     * @throws InterruptedException if it came before the measured time: there is nothing to tell
     */
    public Outcome run() throws IOException, InterruptedException {
        HubHistograms hubBefore = ofHub(true);
        WarmUp warmUp = WarmUp.NONE;
        work.begin();
        // Without a warm-up everything counts, from the first message on.
        if (!plan.times().warmup().isZero()) {
            warmUp =
                    WarmUpMeter.run(plan.title(), plan.times(), work, instruments, progress, begin);
            hubBefore = ofHub(true);
            work.takeLatencies();
            work.takeLateness();
            from = instruments.read(work);
        }
        Instant startedAt = Instant.now();
        last = from;
        try (Standstill looking = standstill) {
            // In simulated time only what waits itself tells.
            if (instruments.time().equals(Clock.SYSTEM)) {
                looking.begin();
            }
            measure();
        }
        Snapshot to = last;
        if (to.nanos() == from.nanos()) {
            if (brokenOff instanceof IOException broken) {
                throw broken;
            }
            throw new InterruptedException("before the first sample");
        }
        lateness.add(work.takeLateness());
        Snapshot end = finish(hubBefore);
        Window window = new Window(from, to, plan.logicalCores());
        // A rate that was searched is a result: what kept it from being higher limits.
        Double asked = plan.searched() == null && plan.pace() instanceof Pace.OpenLoop paced
                ? (Double) paced.ratePerSecond()
                : null;
        Limiting limiting = new Bottleneck(
                        window,
                        asked,
                        work.threads(),
                        latencies.intended().getMean() / 1e6,
                        instruments.allowedCores(),
                        instruments.logProfile(),
                        instruments.isShared())
                .find(to.tellsOfServer());
        Accounts accounts = Accounts.of(begin, end, plan.keepsQueue());
        List<Reason> reasons = ValidityRules.reasons(
                accounts,
                end.load(),
                window,
                limiting,
                lateness,
                standstill.nanos(),
                brokenOff instanceof InterruptedException);
        Repeat.Builder counted = Repeat.counted()
                .complete(brokenOff == null)
                .name(MailDocument.REPEAT, plan.repeat())
                .name(MailDocument.STARTED_AT, startedAt.toString())
                .name(MailDocument.COUNTER_SOURCE, window.counterSource())
                .name(MailDocument.DISTURBANCES, List.of())
                .times(Figure.ACCEPT, latencies.intended())
                .times(Figure.UNCORRECTED, latencies.actual())
                .samples(samples);
        MailDocument.names(warmUp, limiting, Validity.of(reasons))
                .forEach((key, value) -> counted.name(Name.note(key, ""), value));
        window.counted().counters().forEach((key, value) -> counted.count(new Counter(key), value));
        accounts.count(counted);
        if (to.hub() != null && plan.keepsQueue()) {
            counted.count(Counters.QUEUE_MAX_MSGS, queueMax)
                    .count(Counters.QUEUE_MAX_BYTES, queueBytesMax);
        }
        if (ofHub != null) {
            counted.name(MailDocument.GROUPS, ofHub.groups());
        }
        Histogram residence = ofHub == null ? null : ofHub.residence();
        if (residence != null) {
            counted.times(Figure.IN_QUEUE, residence);
        }
        if (lateness.getTotalCount() > 0) {
            counted.times(Figure.LATE, lateness);
        }
        Scenario.Repeat repeat = new Scenario.Repeat(counted.made());
        RateSearch.Answer answer = sustained == null
                ? RateSearch.Answer.kept()
                : sustained.verdict(
                        latencies.intended(), lateness, window.driverThreadPercent(work.threads()));
        return new Outcome(repeat.noted(notes(to, repeat)), brokenOff, answer);
    }

    private List<String> notes(Snapshot to, Scenario.Repeat repeat) {
        List<String> notes = new ArrayList<>();
        if (!to.elsewhere() && repeat.get(Figure.SERVER_CPU_US_PER_MSG) != null) {
            notes.addAll(repeat.machineUse().unknowns());
        }
        return notes;
    }

    /** Drains, unless it is broken off already or breaks now. */
    private Snapshot finish(@Nullable HubHistograms hubBefore) throws InterruptedException {
        if (brokenOff != null) {
            return breakOff();
        }
        try {
            HubHistograms hubAfter = ofHub(false);
            ofHub = hubBefore == null || hubAfter == null ? null : hubAfter.growth(hubBefore);
            return drain();
        } catch (IOException e) {
            brokenOff = e;
            return breakOff();
        }
    }

    private void measure() {
        boolean timed = !plan.times().duration().equals(UNTIL_FINISHED);
        progress.phase(plan.title() + " measure", timed ? plan.times().duration() : Duration.ZERO);
        judge(from);
        long endNanos = from.nanos() + plan.times().duration().toNanos();
        Silence silence = new Silence(plan.pace());
        try {
            boolean finished = false;
            for (long dueNanos = from.nanos(); dueNanos < endNanos && !finished; ) {
                dueNanos = Math.min(dueNanos + SAMPLE.toNanos(), endNanos);
                long beganNanos = instruments.time().nanos();
                long leftNanos = Math.max(0, dueNanos - beganNanos);
                finished = work.awaitFinished(Duration.ofNanos(leftNanos));
                standstill.woke(beganNanos + leftNanos, instruments.time().nanos());
                sample();
                finished |= !timed && silence.isOver(last.load(), last.nanos());
            }
            endWork();
        } catch (InterruptedException | IOException e) {
            brokenOff = e;
        }
    }

    /**
     * What is open at the end has no latency yet and would be in no histogram, so that a server that
     * stands still until then looks fast. At a fixed rate it counts with the age it has, which is less
     * than its latency will be, never more. A closed loop has no intended starts to count from.
     */
    private void endWork() throws InterruptedException {
        Workload.Open left = work.end();
        if (plan.pace() instanceof Pace.OpenLoop) {
            latencies.add(work.takeLatencies());
            latencies.add(new Workload.Latency(left.intended(), left.actual()));
        }
    }

    private void sample() throws IOException {
        Snapshot before = last;
        Snapshot now = instruments.read(work);
        Workload.Latency second = work.takeLatencies();
        latencies.add(second);
        samples.sample(Samples.of(from, before, now, second.intended(), plan.logicalCores()));
        queueMax = Math.max(queueMax, Math.round(largest(now, "hubmark_queue_messages")));
        queueBytesMax = Math.max(queueBytesMax, largest(now, "hubmark_queue_bytes"));
        judge(now);
        now.show(progress, from, before);
        last = now;
    }

    private void judge(Snapshot now) {
        if (sustained != null) {
            sustained.add(now);
        }
    }

    /** {@return a gauge of our hub, or the largest that it had since it was last asked} */
    private static double largest(Snapshot now, String name) {
        Double current = now.hub(name);
        Double largest = now.hub(name + "_max");
        return Math.max(current == null ? 0 : current, largest == null ? 0 : largest);
    }

    /** Ends the load and waits until every accepted message is accounted for, or time is over. */
    private Snapshot drain() throws IOException, InterruptedException {
        progress.phase(plan.title() + " drain", Duration.ZERO);
        work.stop(ANSWERS_TIMEOUT);
        return instruments.await(
                work,
                DRAIN_POLL,
                plan.drains() ? DRAIN_TIMEOUT : SETTLE_TIMEOUT,
                now -> Accounts.settled(begin, now, plan));
    }

    /** There may be no time to wait for answers, and no hub any more to ask. */
    private Snapshot breakOff() {
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
