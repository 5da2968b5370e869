package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.hub.HubServer;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.ServerProcesses;
import org.hubmark.bench.machine.watch.RemoteMachine;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.SustainedRate;
import org.hubmark.bench.mail.meter.DeliveryAudit;
import org.hubmark.bench.mail.meter.Instruments;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.RateSearch;
import org.hubmark.bench.mail.meter.RateTrial;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures one repeat of one scenario on a server that runs: at the rate that was asked for, or at one
 * that it searches for first. One thread.
 */
final class RepeatMeter {
    /** In 10 s 240 MB of the largest messages of the hub study, and about what its slower disks take. */
    private static final double HELD_WARM_UP_PER_SECOND = 300;

    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(5);

    /** So often a searched rate is lowered, each time by a step of the search: to a half in all. */
    private static final int LOWER_MAX = 14;

    private final RunRequest request;
    private final HubHost host;
    private final CycleSource cycles;
    private final Progress progress;
    private final Clock time;

    /** Prepares; what it is given stays the caller's. */
    RepeatMeter(RunRequest request, HubHost host, CycleSource cycles, Context context) {
        this.request = request;
        this.host = host;
        this.cycles = cycles;
        this.progress = context;
        this.time = context.clock();
    }

    /**
     * One repeat of one scenario, to be measured at one rate or at several until one holds. A hub that holds
     * its mail ends with each, so that the next has an empty queue.
     *
     * @param own hub, on the volumes that are ready for it; null where another server is measured
     * @param samples begins those of a measurement; those of one before that did not hold are taken back
     */
    record Attempt(
            ScenarioRequest scenario,
            Measurement.Plan plan,
            @Nullable HubRequest own,
            SampleSource samples) {}

    /** Begins the samples of a measurement. */
    @FunctionalInterface
    interface SampleSource {
        Series begin() throws IOException;
    }

    /** Measures as it was asked for. */
    Measurement.Outcome measure(Attempt attempt) throws IOException, InterruptedException {
        // A search heats the server by itself.
        if (attempt.plan.pace() instanceof Pace.MaxSustained asked) {
            return sustained(attempt, asked);
        }
        if (request.times().jitWarmUp().isPositive()) {
            heat(attempt);
        }
        return measure(attempt, attempt.plan);
    }

    /** {@return what counts all that concerns a scenario and its server} */
    private Instruments instruments(Attempt attempt) throws IOException, InterruptedException {
        HubRequest own = attempt.own;
        HubServer hub = hub(own);
        HubClient client = hub == null ? null : new HubClient(hub.metricsAddress());
        RemoteMachine watched = request.target().watched();
        if (watched != null) {
            return new Instruments(client, watched);
        }
        return new Instruments(
                client,
                hub == null || hub.processId() == null
                        ? request.target().cpu()
                        : new ServerProcesses(Set.of(hub.processId())),
                cycles,
                hub == null ? request.target().volumes() : host.volumes(),
                own == null ? Map.of() : HubVolumes.emulated(own),
                time);
    }

    /**
     * Searches, measures at what was found, and at less until the measured time confirms it: a trial
     * of some seconds can miss what fills slowly.
     */
    private Measurement.Outcome sustained(Attempt attempt, Pace.MaxSustained asked)
            throws IOException, InterruptedException {
        String title = attempt.scenario.title();
        progress.note(title + ": the search takes about " + RunEstimate.text(RunEstimate.SEARCH));
        RateSearch.Found found = new RateTrial(
                        pace -> attempt.scenario.source().trial(address(attempt), pace),
                        instruments(attempt),
                        asked,
                        attempt.plan,
                        RateTrial.Times.USUAL,
                        progress)
                .search();
        progress.note(title + ": " + found.words());
        if (found.ratePerSecond() == 0) {
            throw UserError.failed(title + ": no rate is sustained, " + found.words());
        }
        double rate = found.ratePerSecond();
        String words = found.words();
        for (int lower = 0; ; lower++) {
            Pace pace = new Pace.OpenLoop(rate, asked.arrivals(), asked.seed());
            Measurement.Outcome outcome = measure(attempt, attempt.plan.at(pace, asked));
            boolean isHeld = outcome.sustained().sustained();
            String reason = outcome.sustained().words();
            // At less there would be fewer messages still.
            boolean isTooShort = outcome.repeat().get(Figure.ACCEPT_P99) == null;
            if (isHeld || lower == LOWER_MAX || isTooShort || !outcome.isComplete()) {
                outcome = outcome.with(outcome.repeat()
                        .with(MailDocument.SUSTAINED_RATE, new SustainedRate(rate, words)));
                Reason why = found.byDriver()
                        ? new Reason(
                                Case.DRIVER, "the driver is the bottleneck of the search: " + words)
                        : new Reason(
                                Case.NOT_SUSTAINED,
                                "the rate was not sustained over the measured time: " + reason);
                return isHeld && !found.byDriver() ? outcome : outcome.invalid(why);
            }
            words = String.format(
                    Locale.ROOT, "not at %.1f msg/s over the measured time: %s", rate, reason);
            progress.note(attempt.plan.title() + ": " + words);
            rate = Math.max(RateSearch.RATE_MIN, rate / RateSearch.STEP);
        }
    }

    /** {@return what is known of the conditions now that its server runs} */
    Conditions conditions(Attempt attempt) {
        Conditions known = attempt.scenario.conditions();
        return attempt.own == null ? known : host.complete(known, attempt.own);
    }

    /** {@return our hub, which is started unless it runs; null where another server is measured} */
    @Nullable
    HubServer hub(@Nullable HubRequest own) throws IOException, InterruptedException {
        return own == null ? null : host.running(own);
    }

    private @Nullable InetSocketAddress address(Attempt attempt)
            throws IOException, InterruptedException {
        HubServer hub = hub(attempt.own);
        return hub == null ? null : hub.address();
    }

    private Measurement.Outcome measure(Attempt attempt, Measurement.Plan plan)
            throws IOException, InterruptedException {
        HubRequest own = attempt.own;
        try (Workload work = attempt.scenario.source().start(address(attempt), plan.pace())) {
            DeliveryAudit audit = own == null || !own.spec().isAudited()
                    ? null
                    : DeliveryAudit.begin(host.audited(), own.spec().audit(), work);
            Measurement.Outcome outcome = new Measurement(
                            plan, work, instruments(attempt), attempt.samples.begin(), progress)
                    .run();
            if (audit != null && outcome.isComplete()) {
                outcome = audit.judge(outcome);
            }
            String outOfSight = own == null ? null : own.spec().outOfSight();
            return outOfSight == null
                    ? outcome
                    : outcome.with(outcome.repeat().noted(List.of(outOfSight)));
        }
    }

    /** Not measured; what it leaves in the queue is gone before the warm-up is over. */
    private void heat(Attempt attempt) throws IOException, InterruptedException {
        progress.phase(attempt.plan.title() + " JIT warm-up", request.times().jitWarmUp());
        // What a hub holds stays on its volumes, which mail at full speed would fill.
        Pace pace = attempt.own != null && attempt.own.holds()
                ? new Pace.OpenLoop(HELD_WARM_UP_PER_SECOND, Arrivals.FIXED, 0)
                : new Pace.ClosedLoop();
        try (Workload work = attempt.scenario.source().trial(address(attempt), pace)) {
            work.begin();
            time.sleep(request.times().jitWarmUp());
            work.stop(ANSWERS_TIMEOUT);
        }
    }
}
