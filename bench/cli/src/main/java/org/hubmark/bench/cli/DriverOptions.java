package org.hubmark.bench.cli;

import org.hubmark.bench.cli.MessageOptions.Messages;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Corpus;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.measure.Measurement;
import org.hubmark.bench.measure.run.HubRequest;
import org.hubmark.bench.measure.run.MailSource;
import org.hubmark.bench.measure.run.RunRequest;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The options of the load driver, the same in run, load and matrix. */
final class DriverOptions {
    private static final Duration WARMUP_MAX = Duration.ofSeconds(15);
    /** After 12 s a driver was as fast as Postfix's smtp-source, after 1 s by a quarter slower. */
    private static final Duration DRIVER_WARMUP_MAX = Duration.ofSeconds(12);

    private static final int CORES_PER_THREAD = 4;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private CommonOptions.Measured measured = new CommonOptions.Measured();

    @Mixin
    private CommonOptions.Warmup warmup = new CommonOptions.Warmup();

    @Option(
            names = "--warmup-max",
            paramLabel = "TIME",
            description = "Longest warm-up: it ends when the load is steady, which takes 5s or"
                    + " more to tell. Default: 15s, or --warmup if that is longer, and it ends too when"
                    + " the server is warm and the load is not steady.")
    private @Nullable Duration warmupMax;

    @Option(
            names = "--repeat",
            defaultValue = "3",
            paramLabel = "N",
            description = "Repeats of each size; the sizes take turns. Default: ${DEFAULT-VALUE}.")
    int repeat;

    @Option(
            names = "--rate",
            defaultValue = "max",
            paramLabel = "max|max-sustained|RATE",
            description = "Messages a second over all connections, sent by the clock; or max: each"
                    + " connection sends its next message when the last was answered; or"
                    + " max-sustained: each repeat searches the highest rate that the server"
                    + " sustains (no backlog grows, p99 within --latency-limit), which takes about"
                    + " three minutes, and is measured at it. Steps (1000,2000,3000) and ramps"
                    + " (1000..5000) take --duration each or a time of their own"
                    + " (1000..5000/60s,5000/10s); the warm-up has the first rate."
                    + " Default: ${DEFAULT-VALUE}.")
    String rate;

    @Option(
            names = "--latency-limit",
            defaultValue = "50ms",
            paramLabel = "TIME",
            description = "Highest p99 latency from the intended start that --rate max-sustained"
                    + " accepts (ms, s, m, h); the metric has its name from it (docs/run-rules.md)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration latencyLimit;

    @Mixin
    private CommonOptions.Seed seed = new CommonOptions.Seed();

    @Mixin
    CommonOptions.SharedMachine sharedMachine = new CommonOptions.SharedMachine();

    /** Checks what can be checked before anything is started. */
    void check() {
        Ranges.atLeast("--repeat", repeat, 1);
        if (latencyLimit.isZero()) {
            throw UserError.usage("--latency-limit must be more than 0s (250ms, 1s)");
        }
        if (warmupMax().compareTo(warmup()) < 0) {
            throw UserError.usage("--warmup-max " + Durations.format(warmupMax())
                    + " is shorter than --warmup " + Durations.format(warmup()));
        }
        measured.check();
    }

    /**
     * Checks a load.
     *
     * @throws UserError if the driver can't do that
     */
    void check(int connections, String asked) {
        Ranges.atLeast("--connections", connections, 1);
        plan(connections, asked, Sending.USUAL, 0).requireFiles();
    }

    /** Takes these where none were given. */
    void prefer(Duration duration, Duration leastWarmup, int repeats) {
        measured.time = isGiven("--duration") ? measured.time : duration;
        warmup.time = isGiven("--warmup") ? warmup.time : leastWarmup;
        repeat = isGiven("--repeat") ? repeat : repeats;
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    long seed() {
        return seed.value;
    }

    RunRequest.Repeats repeats() {
        return new RunRequest.Repeats(repeat, seed());
    }

    Measurement.LoadTimes times() {
        return new Measurement.LoadTimes(
                Duration.ZERO, warmup(), warmupMax(), untilSteady(), measuredTime());
    }

    Duration warmup() {
        return warmup.time;
    }

    /** {@return how long each repeat is measured: as long as the stages of the rate take} */
    Duration measuredTime() {
        Duration stages = pace(rate, Arrivals.FIXED).stagesTime();
        return stages == null ? measured.time : stages;
    }

    /** {@return whether a load that is not steady is kept up for the longest warm-up, which was given} */
    boolean untilSteady() {
        return warmupMax != null;
    }

    /** {@return the longest warm-up} */
    Duration warmupMax() {
        Duration given = warmupMax;
        if (given != null) {
            return given;
        }
        return warmup().compareTo(WARMUP_MAX) > 0 ? warmup() : WARMUP_MAX;
    }

    /** {@return how long the driver is warmed up at most, before it connects to the server} */
    private Duration driverWarmupMax() {
        Duration load = warmup().plus(measuredTime());
        return load.compareTo(DRIVER_WARMUP_MAX) < 0 ? load : DRIVER_WARMUP_MAX;
    }

    /** {@return what is asked for, as the rules of a result that is to be published see it} */
    PublishOptions.Asked publishing(List<String> rates, double latencyPercent, String deliver) {
        return new PublishOptions.Asked(
                rates,
                repeat,
                measuredTime(),
                warmup(),
                warmupMax(),
                sharedMachine.on,
                latencyPercent,
                deliver);
    }

    /** {@return the names of the driver's settings that a measurement is made under} */
    Set<String> identity() {
        Set<String> identity = new TreeSet<>();
        spec.mixins().values().stream()
                .filter(mixin -> mixin.userObject() == this)
                .flatMap(mixin -> mixin.options().stream())
                .forEach(option -> identity.add(option.longestName().replaceFirst("^--", "")));
        // These change what is said, not what is measured, or how much more of it.
        identity.removeAll(List.of("repeat", "shared-machine"));
        return identity;
    }

    private Pace pace(String asked, Arrivals arrivals) {
        if (asked.equals(Pace.MaxSustained.NAME)) {
            return new Pace.MaxSustained(latencyLimit, arrivals, seed());
        }
        try {
            return Pace.parse(asked, measured.time, arrivals, seed());
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--rate " + e.getMessage());
        }
    }

    private LoadPlan plan(int connections, String asked, Sending sending, long messagesMax) {
        InetSocketAddress target = sending.target();
        return new LoadPlan(
                target == null ? InetSocketAddress.createUnresolved("localhost", 0) : target,
                connections,
                threads(),
                pace(asked, sending.arrivals()),
                sending.messagesPerConnection(),
                messagesMax,
                sending.dialogue(),
                sending.addresses());
    }

    /**
     * {@return what is to be measured}
     *
     * @param asked the rate; that of a cell of a matrix may have been found by an earlier repeat
     * @param sending how it is sent, and to which target
     * @param hub to start, or null with a target
     * @param messagesMax ends each repeat after that many messages; 0 to end it by time
     * @param known what is known of the conditions besides those of the load
     */
    ScenarioRequest scenario(
            Messages messages,
            int connections,
            String asked,
            Sending sending,
            @Nullable HubRequest hub,
            long messagesMax,
            Conditions known) {
        return new ScenarioRequest(
                messages.id(),
                messages.title(),
                new MailSource(
                        plan(connections, asked, sending, messagesMax),
                        driverWarmupMax(),
                        (to, server, at) -> messages(messages, to, server, at)),
                hub,
                conditions(messages, connections, asked, sending, known));
    }

    /** The rate stays as it was asked for first. */
    private static Conditions conditions(
            Messages messages, int connections, String asked, Sending sending, Conditions known) {
        LoadPlan.Dialogue dialogue = sending.dialogue();
        boolean clocked = !asked.equals("max");
        return known.or(Condition.ASKED_RATE, ScenarioRequest.rate(asked))
                .with(Condition.CONNECTIONS, connections)
                .with(Condition.TRANSFER, dialogue.transfer().toString())
                .with(Condition.TLS, dialogue.tls() != null)
                .with(Condition.DRIVER, LoadDriver.means(dialogue.tls() != null))
                .with(Condition.PIPELINING, dialogue.pipelining())
                .with(Condition.RECIPIENTS, sending.addresses().recipients())
                .with(Condition.ARRIVALS, clocked ? sending.arrivals().toString() : null)
                .with(Condition.MESSAGES_PER_CONNECTION, sending.messagesPerConnection())
                .with(Condition.CONTENT, messages.content());
    }

    private MessageSet messages(
            Messages messages, LoadPlan plan, TargetProbe.Announced server, Instant at) {
        Path folder = messages.corpus();
        if (folder != null) {
            return MessageSet.of(Corpus.read(folder), plan, server);
        }
        SizeMix mix = Objects.requireNonNull(messages.mix());
        Long sizeMax = server.sizeMax();
        if (sizeMax != null && sizeMax > 0 && mix.sizeBytesMax() > sizeMax) {
            throw UserError.usage(messages.option() + " " + ByteSize.format(mix.sizeBytesMax())
                    + " is more than the target takes: up to " + ByteSize.format(sizeMax));
        }
        return MessageSet.generate(
                mix,
                new MessageGenerator(
                        seed(), at, plan.addresses().sender(), plan.addresses().recipient()),
                plan,
                server);
    }

    /** {@return event loops of the driver; the rest of the cores is the server's} */
    private static int threads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_PER_THREAD);
    }
}
