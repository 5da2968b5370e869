package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.MailSource;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The options of the load driver, the same in run, load and matrix. */
final class DriverOptions {
    private static final Duration WARMUP_MAX = Duration.ofSeconds(10);
    /** After 12 s a driver was as fast as Postfix's smtp-source, after 1 s by a quarter slower. */
    private static final Duration DRIVER_WARMUP_MAX = Duration.ofSeconds(12);

    private static final int CORES_PER_THREAD = 4;

    /** From whom and to whom the messages are. */
    static final String SENDER = "driver@load.hubmark.example";

    static final String RECIPIENT = "mailbox@load.hubmark.example";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Read from the settings, by the report. */
    @Option(names = "--name", description = "Title of the table and the report.")
    @Nullable
    String name;

    @Mixin
    private CommonOptions.MeasuredTime measured = new CommonOptions.MeasuredTime();

    @Mixin
    private CommonOptions.Warmup warmup = new CommonOptions.Warmup();

    @Option(
            names = "--warmup-max",
            converter = BenchConverters.TimeOrNone.class,
            description = "Longest warm-up. Default: 10s, or --warmup.")
    private @Nullable Duration warmupMax;

    @Option(
            names = "--driver-warmup",
            converter = BenchConverters.TimeOrNone.class,
            description = "Driver's longest warm-up; 0s: none. Default: 12s.")
    private @Nullable Duration driverWarmup;

    @Option(names = "--repeat", description = "Repeats of each size, in turns.")
    int repeat = 3;

    @Option(
            names = "--rate",
            paramLabel = "max|max-sustained|RATE",
            description = "Messages a second; max: closed loop.")
    String rate = "max";

    @Option(
            names = "--latency-limit",
            defaultValue = "50ms",
            description = "Highest p99 of max-sustained.")
    private Duration latencyLimit;

    @Mixin
    private CommonOptions.Seed seed = new CommonOptions.Seed();

    @Mixin
    CommonOptions.SharedMachine sharedMachine = new CommonOptions.SharedMachine();

    /** Checks what can be checked before anything is started. */
    void check() {
        Ranges.atLeast("--repeat", repeat, 1);
        if (warmupMax().compareTo(warmup.time) < 0) {
            throw UserError.usage("--warmup-max " + Durations.format(warmupMax())
                    + " is shorter than --warmup " + Durations.format(warmup.time));
        }
    }

    RunRequest.Repeats repeats() {
        return new RunRequest.Repeats(repeat, seed.value);
    }

    /**
     * {@return the times of each repeat} A longest warm-up that was given is kept up for a load that is not
     * steady.
     *
     * @param jitWarmUp load as fast as it goes before all else
     */
    Measurement.LoadTimes times(Duration jitWarmUp) {
        return new Measurement.LoadTimes(
                jitWarmUp, warmup.time, warmupMax(), warmupMax != null, measured.time);
    }

    /** {@return those of a load that ends by itself} */
    Measurement.LoadTimes untilFinished() {
        return new Measurement.LoadTimes(Duration.ZERO, warmupMax(), Measurement.UNTIL_FINISHED);
    }

    private Duration warmupMax() {
        return Objects.requireNonNullElseGet(
                warmupMax, () -> Collections.max(List.of(warmup.time, WARMUP_MAX)));
    }

    private Duration driverWarmupMax() {
        return Objects.requireNonNullElseGet(
                driverWarmup,
                () -> Collections.min(List.of(warmup.time.plus(measured.time), DRIVER_WARMUP_MAX)));
    }

    /** {@return the names of the driver's settings that a measurement is made under} */
    Set<String> identity() {
        Set<String> identity = new TreeSet<>();
        OptionNames.of(spec, this).forEach(name -> identity.add(name.substring("--".length())));
        // These change what is said, not what is measured, or how much more of it.
        identity.removeAll(List.of("repeat", "shared-machine"));
        return identity;
    }

    private Pace pace(String asked) {
        if (asked.equals(Pace.MaxSustained.NAME)) {
            return new Pace.MaxSustained(latencyLimit, Arrivals.FIXED, seed.value);
        }
        try {
            return Pace.parse(asked, Arrivals.FIXED, seed.value);
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--rate " + e.getMessage());
        }
    }

    /**
     * {@return a load of a hub of our own, in plain text} Checks it.
     *
     * @param asked the rate
     * @throws UserError if the driver can't do that
     */
    LoadPlan plan(int connections, String asked) {
        Ranges.atLeast("--connections", connections, 1);
        LoadPlan plan = LoadPlan.of(
                        InetSocketAddress.createUnresolved("localhost", 0),
                        connections,
                        pace(asked),
                        Transfer.DATA,
                        SENDER,
                        RECIPIENT)
                .on(threads());
        plan.requireFiles();
        return plan;
    }

    /**
     * {@return what is to be measured}
     *
     * @param asked the rate
     * @param hub to start, or null with a target
     * @param known what is known of the conditions besides those of the load
     */
    ScenarioRequest scenario(
            Messages messages,
            LoadPlan plan,
            String asked,
            @Nullable HubRequest hub,
            Conditions known) {
        return new ScenarioRequest(
                messages.id(),
                messages.title(),
                new MailSource(
                        plan,
                        driverWarmupMax(),
                        (to, server, at) -> messages.made(seed.value, to, server, at)),
                hub,
                conditions(messages, plan, asked, known),
                null);
    }

    private Conditions conditions(
            Messages messages, LoadPlan plan, String asked, Conditions known) {
        boolean tls = plan.dialogue().tls() != null;
        return known.with(Condition.ASKED_RATE, ScenarioRequest.rate(asked))
                .with(Condition.CONNECTIONS, plan.connections())
                .with(Condition.TRANSFER, plan.dialogue().transfer().toString())
                .with(Condition.TLS, tls)
                .with(Condition.DRIVER, LoadDriver.means(tls))
                .with(Condition.PIPELINING, plan.dialogue().pipelining())
                .with(Condition.RECIPIENTS, plan.addresses().recipients())
                .with(
                        Condition.MESSAGES_PER_CONNECTION,
                        Math.toIntExact(plan.messagesPerConnection()))
                .with(Condition.CONTENT, messages.content());
    }

    /** {@return event loops of the driver; the rest of the cores is the server's} */
    private static int threads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_PER_THREAD);
    }
}
