package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.Corpus;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.MailSource;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
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
import java.util.Collections;
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
            names = "--driver-warmup",
            paramLabel = "TIME",
            description = "Longest warm-up of the driver, by the same messages to a sink in its own"
                    + " process, until their CPU time no longer falls (4s or more); 0s leaves it out."
                    + " Default: 12s, or --warmup and --duration together if that is shorter.")
    private @Nullable Duration driverWarmup;

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
            description = "Messages a second over all connections, sent by the clock; max: each"
                    + " connection sends its next message when the last was answered; max-sustained:"
                    + " each repeat searches the highest rate without a growing backlog and with p99"
                    + " within --latency-limit, in about three minutes. Steps (1000,2000) and ramps"
                    + " (1000..5000) take --duration each or their own time (1000..5000/60s,5000/10s)."
                    + " Default: ${DEFAULT-VALUE}.")
    String rate;

    @Option(
            names = "--latency-limit",
            defaultValue = "50ms",
            paramLabel = "TIME",
            description = "Highest p99 latency from the intended start that --rate max-sustained"
                    + " accepts; part of the metric's name (docs/run-rules.md)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration latencyLimit;

    @Option(
            names = "--arrivals",
            defaultValue = "fixed",
            paramLabel = "fixed|poisson",
            description =
                    "Spacing of the intended starts of a rate: even (fixed), or random as from"
                            + " many independent senders (poisson). Default: ${DEFAULT-VALUE}.")
    Arrivals arrivals;

    @Option(
            names = "--transfer",
            defaultValue = "data",
            paramLabel = "data|bdat",
            description = "Transfer of content: by DATA, or by BDAT (RFC 3030)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Transfer transfer;

    @Option(
            names = "--no-pipelining",
            description = "Waits for the answer to each command. Default: sends the envelope in"
                    + " one write where the server announces PIPELINING.")
    private boolean noPipelining;

    @Option(
            names = "--messages-per-connection",
            defaultValue = "0",
            paramLabel = "N",
            description = "Messages after which a connection is closed and opened again; 0 for no"
                    + " limit. Default: ${DEFAULT-VALUE}.")
    private long messagesPerConnection;

    @Mixin
    private CommonOptions.Seed seed = new CommonOptions.Seed();

    @Mixin
    private EnvelopeOptions envelope = new EnvelopeOptions();

    @Option(
            names = "--tls",
            description = "Begins TLS by STARTTLS on each connection; so does --tls-trust."
                    + " Default: plain text.")
    private boolean tls;

    @Mixin
    private CommonOptions.Trust trust = new CommonOptions.Trust();

    @Mixin
    private AuthOptions authOptions = new AuthOptions();

    @Option(
            names = "--driver-threads",
            defaultValue = "0",
            paramLabel = "N",
            description = "Event loops of the driver; 0 for one for each 4 cores."
                    + " Default: ${DEFAULT-VALUE}.")
    private int driverThreads;

    @Mixin
    CommonOptions.SharedMachine sharedMachine = new CommonOptions.SharedMachine();

    /** Checks what can be checked before anything is started. */
    void check() {
        envelope.check();
        Ranges.atLeast("--repeat", repeat, 1);
        Ranges.atLeast("--messages-per-connection", messagesPerConnection, 0);
        Ranges.atLeast("--driver-threads", driverThreads, 0);
        if (latencyLimit.isZero()) {
            throw UserError.usage("--latency-limit must be more than 0s (250ms, 1s)");
        }
        if (warmupMax().compareTo(warmup.time) < 0) {
            throw UserError.usage("--warmup-max " + Durations.format(warmupMax())
                    + " is shorter than --warmup " + Durations.format(warmup.time));
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
        plan(connections, asked, null, 0).requireFiles();
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
                jitWarmUp, warmup.time, warmupMax(), warmupMax != null, measuredTime());
    }

    /** {@return those of a load that ends by itself} */
    Measurement.LoadTimes untilFinished() {
        return new Measurement.LoadTimes(Duration.ZERO, warmupMax(), Measurement.UNTIL_FINISHED);
    }

    /** As long as the stages of the rate take. */
    private Duration measuredTime() {
        Duration stages = pace(rate).stagesTime();
        return stages == null ? measured.time : stages;
    }

    private Duration warmupMax() {
        return Objects.requireNonNullElseGet(
                warmupMax, () -> Collections.max(List.of(warmup.time, WARMUP_MAX)));
    }

    private Duration driverWarmupMax() {
        return Objects.requireNonNullElseGet(
                driverWarmup,
                () -> Collections.min(
                        List.of(warmup.time.plus(measuredTime()), DRIVER_WARMUP_MAX)));
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

    /** {@return null for plain text} */
    private @Nullable ClientTls tls() {
        return tls || trust.isGiven() ? trust.read() : null;
    }

    private Pace pace(String asked) {
        if (asked.equals(Pace.MaxSustained.NAME)) {
            return new Pace.MaxSustained(latencyLimit, arrivals, seed.value);
        }
        try {
            return Pace.parse(asked, measured.time, arrivals, seed.value);
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--rate " + e.getMessage());
        }
    }

    /** Asks a target what it is, and says on standard error where that takes some seconds. */
    void ask(InetSocketAddress target, boolean quiet) {
        var unused = TargetProbe.ask(target, tls(), auth(target), line -> {
            if (!quiet) {
                System.err.println(line);
            }
        });
    }

    /** {@return null for nobody} */
    private @Nullable ClientAuth auth(InetSocketAddress target) {
        return authOptions.read(target, tls() != null);
    }

    private LoadPlan plan(
            int connections, String asked, @Nullable InetSocketAddress target, long messagesMax) {
        return new LoadPlan(
                target == null ? InetSocketAddress.createUnresolved("localhost", 0) : target,
                connections,
                driverThreads > 0 ? driverThreads : threadsDefault(),
                pace(asked),
                messagesPerConnection,
                messagesMax,
                new LoadPlan.Dialogue(
                        transfer, !noPipelining, tls(), target == null ? null : auth(target)),
                new LoadPlan.Addresses(envelope.sender, envelope.recipient, envelope.recipients));
    }

    /**
     * {@return what is to be measured}
     *
     * @param asked the rate; that of a cell of a matrix may have been found by an earlier repeat
     * @param target null with a hub
     * @param hub to start, or null with a target
     * @param messagesMax ends each repeat after that many messages; 0 to end it by time
     * @param known what is known of the conditions besides those of the load
     */
    ScenarioRequest scenario(
            Messages messages,
            int connections,
            String asked,
            @Nullable InetSocketAddress target,
            @Nullable HubRequest hub,
            long messagesMax,
            Conditions known) {
        if (target == null) {
            authOptions.requireNone();
        }
        return new ScenarioRequest(
                messages.id(),
                messages.title(),
                new MailSource(
                        plan(connections, asked, target, messagesMax),
                        driverWarmupMax(),
                        (to, server, at) -> messages(messages, to, server, at)),
                hub,
                conditions(messages, connections, asked, known));
    }

    /** The rate stays as it was asked for first. */
    private Conditions conditions(
            Messages messages, int connections, String asked, Conditions known) {
        boolean clocked = !asked.equals("max");
        return known.or(Condition.ASKED_RATE, ScenarioRequest.rate(asked))
                .with(Condition.CONNECTIONS, connections)
                .with(Condition.TRANSFER, transfer.toString())
                .with(Condition.TLS, tls() != null)
                .with(Condition.DRIVER, LoadDriver.means(tls() != null))
                .with(Condition.PIPELINING, !noPipelining)
                .with(Condition.RECIPIENTS, envelope.recipients)
                .with(Condition.ARRIVALS, clocked ? arrivals.toString() : null)
                .with(Condition.MESSAGES_PER_CONNECTION, Math.toIntExact(messagesPerConnection))
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
                new MessageGenerator(seed.value, at, envelope.sender, envelope.recipient),
                plan,
                server);
    }

    /** {@return event loops of the driver; the rest of the cores is the server's} */
    private static int threadsDefault() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_PER_THREAD);
    }
}
