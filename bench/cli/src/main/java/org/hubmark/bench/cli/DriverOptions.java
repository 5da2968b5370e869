package org.hubmark.bench.cli;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.Corpus;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.measure.run.HubRequest;
import org.hubmark.bench.measure.run.MailSource;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** The options of the load driver, the same in every command that has one. */
final class DriverOptions {
    private static final Duration WARMUP_MAX = Duration.ofSeconds(20);
    /** After 12 s a driver was as fast as Postfix's smtp-source, after 1 s by a quarter slower. */
    private static final Duration DRIVER_WARMUP_MAX = Duration.ofSeconds(12);

    private static final int CORES_PER_THREAD = 4;

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "57KB,80KB",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Sizes of the generated messages, each measured on its own: octets of"
                    + " content with a unit of B, KB, MB, KiB, MiB. Default: ${DEFAULT-VALUE}.")
    List<Long> sizes;

    @Option(
            names = "--size-mix",
            paramLabel = "MIX",
            converter = BenchConverters.Mix.class,
            description = "Sends messages of several sizes in random order instead, measured"
                    + " together: 4KB=70,57KB=20,1MB=10 (weights),"
                    + " lognormal:median=20KB,sigma=1.5,max=10MB (sigma of the natural logarithm;"
                    + " sizes above max are left out) or loadsim[:light|medium|heavy]"
                    + "[,attachment=10KB] (the new mail of LoadSim 5.0, medium unless told;"
                    + " attachments whose size wasn't published count as that). Default: none.")
    @Nullable
    SizeMix sizeMix;

    @Option(
            names = "--duration",
            defaultValue = "10s",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description =
                    "The measured time of each repeat (ms, s, m, h). Default: ${DEFAULT-VALUE}.")
    Duration duration;

    @Option(
            names = "--warmup",
            defaultValue = "3s",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "Load before each measured time, not measured, at least; 0s measures"
                    + " from the first message on. Default: ${DEFAULT-VALUE}.")
    Duration warmup;

    @Option(
            names = "--warmup-max",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "The longest warm-up: it ends when the load is steady, which takes 5s or"
                    + " more to tell. Default: 20s, or --warmup where that is longer.")
    @Nullable
    Duration warmupMax;

    @Option(
            names = "--driver-warmup",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "Before the first connection to the server the driver sends what it will"
                    + " send to a sink in its own process, for so long at most, until a message"
                    + " costs it no less CPU time any more (4s or more); what this process has"
                    + " sent before it need not. 0s leaves it out: then the server is measured"
                    + " while the driver's code is being compiled. Default: 12s, or --warmup and"
                    + " --duration together where that is shorter.")
    @Nullable
    Duration driverWarmup;

    @Option(
            names = "--repeat",
            defaultValue = "3",
            paramLabel = "N",
            description = "How often each size is measured; the sizes take turns."
                    + " Default: ${DEFAULT-VALUE}.")
    int repeat;

    @Option(
            names = "--connections",
            defaultValue = "32",
            paramLabel = "N",
            description = "Connections open at once. Default: ${DEFAULT-VALUE}.")
    int connections;

    @Option(
            names = "--rate",
            defaultValue = "max",
            paramLabel = "max|max-sustained|RATE",
            description =
                    "Messages per second over all connections, sent by the clock; or max: each"
                            + " connection sends its next message when the last was answered; or"
                            + " max-sustained: each repeat searches the highest rate that the server"
                            + " sustains (queue not growing, p99 within --latency-limit), about two"
                            + " minutes, and is measured at it. Steps"
                            + " (1000,2000,3000) and ramps (1000..5000) take --duration each or a"
                            + " time of their own (1000..5000/60s,5000/10s); the warm-up has the"
                            + " first rate. Default: ${DEFAULT-VALUE}.")
    String rate;

    @Option(
            names = "--latency-limit",
            defaultValue = "250ms",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "With --rate max-sustained: the most that the p99 of the latency from the"
                    + " intended start may be (ms, s, m, h). Default: ${DEFAULT-VALUE}.")
    Duration latencyLimit;

    @Option(
            names = "--arrivals",
            defaultValue = "fixed",
            paramLabel = "fixed|poisson",
            converter = BenchConverters.ArrivalsKind.class,
            description = "How the intended starts of a rate are spaced: evenly, or with random"
                    + " (exponential) gaps as from many independent senders, repeatable by --seed."
                    + " Default: ${DEFAULT-VALUE}.")
    Arrivals arrivals;

    @Option(
            names = "--transfer",
            defaultValue = "data",
            paramLabel = "data|bdat",
            converter = BenchConverters.TransferKind.class,
            description = "How content travels. Default: ${DEFAULT-VALUE}.")
    Transfer transfer;

    @Option(
            names = "--no-pipelining",
            description = "Waits for the answer to each command. Default: the envelope goes in one"
                    + " write where the server announces PIPELINING.")
    boolean noPipelining;

    @Option(
            names = "--messages-per-connection",
            defaultValue = "0",
            paramLabel = "N",
            description = "Then the connection is closed and opened again; 0 for no limit."
                    + " Default: ${DEFAULT-VALUE}.")
    long messagesPerConnection;

    @Option(
            names = "--corpus",
            paramLabel = "DIR",
            description =
                    "Sends the files of a folder, each one message, instead of generated ones."
                            + " Default: none.")
    @Nullable
    Path corpus;

    @Mixin
    private ContentOptions contents = new ContentOptions();

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description =
                    "Of the bodies of generated messages, of random arrivals and of the order in"
                            + " which sizes and cells are measured: the same seed gives the same."
                            + " The Message-IDs differ in every run. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Mixin
    private EnvelopeOptions envelope = new EnvelopeOptions();

    @Mixin
    private TlsOptions tlsOptions = new TlsOptions();

    @Mixin
    private AuthOptions authOptions = new AuthOptions();

    @Option(
            names = "--driver-threads",
            defaultValue = "0",
            paramLabel = "N",
            description = "Event loops of the driver; 0 for one for each 4 cores."
                    + " Default: ${DEFAULT-VALUE}.")
    int driverThreads;

    @Option(
            names = "--shared-machine",
            description = "The machine has other work that you know of: steal, the CPU of other"
                    + " processes and other measuring runs are said, and make nothing invalid."
                    + " Default: ${DEFAULT-VALUE}.")
    boolean sharedMachine;

    @Option(
            names = "--quiet",
            description = "Says nothing but what is wrong. Default: ${DEFAULT-VALUE}.")
    boolean quiet;

    /**
     * Checks what can be checked before anything is started.
     *
     * @param bytesMax the largest message that the server takes, as far as that is known
     */
    void check(long bytesMax) {
        long max = Math.min(bytesMax, MessageGenerator.BYTES_MAX);
        for (long size : sizeMix == null && corpus == null ? sizes : List.<Long>of()) {
            if (size < MessageGenerator.BYTES_MIN || size > max) {
                throw UserError.usage("--sizes " + ByteSize.format(size)
                        + " is no message size: " + MessageGenerator.BYTES_MIN + "B to "
                        + ByteSize.format(max));
            }
        }
        if (new HashSet<>(sizes).size() < sizes.size()) {
            throw UserError.usage("--sizes names a size twice; each once");
        }
        for (String other : List.of("--size-mix", "--corpus")) {
            ParseResult line = spec.commandLine().getParseResult();
            if (line.hasMatchedOption("--sizes") && line.hasMatchedOption(other)) {
                throw UserError.usage(
                        "--sizes and " + other + " exclude each other; give one of them");
            }
        }
        checkMix(max);
        envelope.check();
        atLeast("--repeat", repeat, 1);
        atLeast("--connections", connections, 1);
        atLeast("--messages-per-connection", messagesPerConnection, 0);
        atLeast("--driver-threads", driverThreads, 0);
        if (latencyLimit.isZero()) {
            throw UserError.usage("--latency-limit is more than 0s (250ms, 1s)");
        }
        if (warmupMax().compareTo(warmup) < 0) {
            throw UserError.usage("--warmup-max " + Durations.format(warmupMax())
                    + " is shorter than --warmup " + Durations.format(warmup));
        }
        if (duration.isZero()) {
            throw UserError.usage("--duration is more than 0s (10s, 2m)");
        }
        pace();
        contents.read(transfer);
        checkCorpus(bytesMax);
        plan(null, 0).requireFiles();
    }

    private void checkMix(long bytesMax) {
        SizeMix mix = sizeMix;
        if (mix == null) {
            return;
        }
        if (corpus != null) {
            throw UserError.usage("--size-mix and --corpus exclude each other; give one of them");
        }
        if (mix.sizeBytesMax() > bytesMax) {
            throw UserError.usage("--size-mix has messages of "
                    + ByteSize.format(mix.sizeBytesMax()) + ", more than the server takes: up to "
                    + ByteSize.format(bytesMax));
        }
    }

    private void checkCorpus(long bytesMax) {
        if (corpus == null) {
            return;
        }
        for (byte[] content : Corpus.read(corpus)) {
            if (content.length > bytesMax) {
                throw UserError.usage("--corpus " + corpus + " has a message of "
                        + ByteSize.format(content.length) + ", more than the server takes: up to "
                        + ByteSize.format(bytesMax));
            }
        }
    }

    /** {@return how long each repeat is measured: as long as the stages of the rate take} */
    Duration measuredTime() {
        Duration stages = pace().stagesTime();
        return stages == null ? duration : stages;
    }

    /** {@return the longest warm-up} */
    Duration warmupMax() {
        Duration given = warmupMax;
        if (given != null) {
            return given;
        }
        return warmup.compareTo(WARMUP_MAX) > 0 ? warmup : WARMUP_MAX;
    }

    private Duration driverWarmupMax() {
        Duration given = driverWarmup;
        if (given != null) {
            return given;
        }
        Duration load = warmup.plus(measuredTime());
        return load.compareTo(DRIVER_WARMUP_MAX) < 0 ? load : DRIVER_WARMUP_MAX;
    }

    /** {@return what is asked for, as the rules of a result that is to be published see it} */
    PublishOptions.Asked publishing(double latencyPercent, String deliver) {
        int scenarios = sizeMix == null && corpus == null ? sizes.size() : 1;
        return publishing(scenarios, List.of(rate), latencyPercent, deliver);
    }

    /** {@return the same of several scenarios} */
    PublishOptions.Asked publishing(
            int scenarios, List<String> rates, double latencyPercent, String deliver) {
        return new PublishOptions.Asked(
                scenarios,
                rates,
                repeat,
                measuredTime(),
                warmup,
                warmupMax(),
                driverWarmupMax().isPositive(),
                sharedMachine,
                latencyPercent,
                deliver);
    }

    /** {@return null for plain text} */
    @Nullable
    ClientTls tls() {
        return tlsOptions.read();
    }

    private Pace pace() {
        if (rate.equals(Pace.MaxSustained.NAME)) {
            return new Pace.MaxSustained(latencyLimit, arrivals, seed);
        }
        try {
            return Pace.parse(rate, duration, arrivals, seed);
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--rate " + e.getMessage());
        }
    }

    void requireNoAuth() {
        authOptions.requireNone();
    }

    /** {@return null for nobody} */
    @Nullable
    ClientAuth auth(InetSocketAddress target) {
        return authOptions.read(target, tls() != null);
    }

    private LoadPlan plan(@Nullable InetSocketAddress target, long messagesMax) {
        int threads = driverThreads > 0 ? driverThreads : threadsDefault();
        return new LoadPlan(
                target == null ? InetSocketAddress.createUnresolved("localhost", 0) : target,
                connections,
                pace(),
                transfer,
                !noPipelining,
                messagesPerConnection,
                messagesMax,
                threads,
                envelope.sender,
                envelope.recipient,
                envelope.recipients,
                tls(),
                target == null ? null : auth(target));
    }

    /**
     * {@return what is to be measured, one after the other}
     *
     * @param target null with a hub
     * @param hub to start, or null with a target
     * @param messagesMax ends each repeat after so many messages; 0 to end it by time
     * @param known what is known of the conditions beside the load's own
     */
    List<ScenarioRequest> scenarios(
            @Nullable InetSocketAddress target,
            @Nullable HubRequest hub,
            long messagesMax,
            Conditions known) {
        Conditions conditions = loaded(known);
        if (target == null) {
            requireNoAuth();
        }
        LoadPlan plan = plan(target, messagesMax);
        Path folder = corpus;
        if (folder != null) {
            return List.of(new ScenarioRequest(
                    "corpus",
                    "corpus",
                    new MailSource(
                            plan,
                            driverWarmupMax(),
                            (to, server, at) -> MessageSet.of(Corpus.read(folder), to, server)),
                    hub,
                    conditions));
        }
        SizeMix mix = sizeMix;
        if (mix != null) {
            return List.of(new ScenarioRequest(
                    "mix",
                    "mix",
                    new MailSource(
                            plan,
                            driverWarmupMax(),
                            (to, server, at) -> generated("--size-mix", mix, to, server, at)),
                    hub,
                    conditions));
        }
        List<ScenarioRequest> scenarios = new ArrayList<>();
        for (long size : sizes) {
            String text = ByteSize.format(size);
            scenarios.add(new ScenarioRequest(
                    text.toLowerCase(Locale.ROOT),
                    text,
                    new MailSource(
                            plan,
                            driverWarmupMax(),
                            (to, server, at) ->
                                    generated("--sizes", SizeMix.of(size), to, server, at)),
                    hub,
                    conditions));
        }
        return scenarios;
    }

    /** The rate of a matrix cell may have been searched by an earlier repeat: it stays as asked. */
    private Conditions loaded(Conditions known) {
        boolean clocked = !rate.equals("max");
        return known.or(Condition.ASKED_RATE, ScenarioRequest.rate(rate))
                .with(Condition.CONNECTIONS, connections)
                .with(Condition.TRANSFER, transfer.name().toLowerCase(Locale.ROOT))
                .with(Condition.TLS, tls() != null)
                .with(Condition.PIPELINING, !noPipelining)
                .with(Condition.RECIPIENTS, envelope.recipients)
                .with(Condition.ARRIVALS, clocked ? arrivals.name().toLowerCase(Locale.ROOT) : null)
                .with(Condition.MESSAGES_PER_CONNECTION, Math.toIntExact(messagesPerConnection))
                .with(Condition.CONTENT, content());
    }

    private String content() {
        if (corpus != null) {
            return "corpus " + corpus;
        }
        return sizeMix == null ? "generated" : "mix " + Outcomes.text(spec, "--size-mix");
    }

    private MessageSet generated(
            String option, SizeMix mix, LoadPlan plan, TargetProbe.Announced server, Instant at) {
        Long sizeMax = server.sizeMax();
        if (sizeMax != null && sizeMax > 0 && mix.sizeBytesMax() > sizeMax) {
            throw UserError.usage(option + " " + ByteSize.format(mix.sizeBytesMax())
                    + " is more than the target takes: up to " + ByteSize.format(sizeMax));
        }
        return MessageSet.generate(
                mix,
                new MessageGenerator(
                        contents.read(plan.transfer()),
                        seed,
                        at,
                        envelope.sender,
                        envelope.recipient),
                plan,
                server);
    }

    /** {@return event loops of the driver; the rest of the cores is the server's} */
    static int threadsDefault() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_PER_THREAD);
    }

    static void atLeast(String option, long value, long min) {
        if (value < min) {
            throw UserError.usage(option + " " + value + " is too small: at least " + min);
        }
    }
}
