package org.hubmark.bench.cli;

import org.hubmark.bench.cli.MessageOptions.Messages;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.OpenAtEnd;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.report.TerminalTable;
import org.hubmark.bench.mail.study.Interruption;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** The load driver alone, against any SMTP server. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Sends mail to any SMTP server and prints rate, latency and counts.")
public final class LoadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions.Target server;

    @Option(
            names = "--count",
            defaultValue = "0",
            paramLabel = "N",
            description = "Messages after which each repeat ends, without a warm-up; 0 ends it by"
                    + " time. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Mixin
    private MessageOptions messages;

    @Mixin
    private CommonOptions.Connections connections;

    @Mixin
    private DriverOptions driver;

    @Mixin
    private TargetOptions known;

    @Mixin
    private CommonOptions.Output output;

    @Option(
            names = "--start-at",
            paramLabel = "TIME",
            converter = BenchConverters.Start.class,
            description = "Time to start at, so that drivers on several machines start together:"
                    + " 2026-11-21T15:30:00Z, or 15:30:00 for the next time that this machine's"
                    + " clock shows it. Default: at once.")
    private @Nullable Instant startAt;

    @Option(
            names = "--merge",
            split = ",",
            paramLabel = "FILE",
            description =
                    "Files times.hlog that several drivers wrote to their --output: adds them up"
                            + " and prints the percentiles of all messages together, and sends nothing."
                            + " Default: none.")
    private List<Path> merge = List.of();

    @Mixin
    private ScriptOptions script;

    @Override
    public Integer call() throws IOException {
        if (!merge.isEmpty()) {
            return MergedLines.print(merge, script.json(), System.out, System.err);
        }
        script.check();
        InetSocketAddress target = server.address;
        if (target == null) {
            throw UserError.usage(
                    "Missing required option: '--target=HOST:PORT'; see hubmark load --help");
        }
        driver.check();
        driver.check(connections.count, driver.rate);
        List<Messages> sent = messages.read(Long.MAX_VALUE);
        Ranges.atLeast("--count", count, 0);
        driver.ask(target, script.quiet());
        try (Interruption interruption = new Interruption();
                TargetFacts facts = known.facts(target)) {
            Path given = output.folder;
            if (given == null) {
                Path folder = Files.createTempDirectory("hubmark-load-");
                try {
                    return load(target, sent, facts, folder, interruption);
                } finally {
                    Folders.delete(folder);
                }
            }
            try (MadeFolder results = MailRun.folder(output)) {
                return load(target, sent, facts, results.path(), interruption);
            }
        }
    }

    private int load(
            InetSocketAddress target,
            List<Messages> sent,
            TargetFacts facts,
            Path folder,
            Interruption interruption)
            throws IOException {
        RunRequest request = new RunRequest(
                Main.PROGRAM,
                sent.stream()
                        .map(each -> driver.scenario(
                                each,
                                connections.count,
                                driver.rate,
                                target,
                                null,
                                count,
                                Conditions.UNKNOWN))
                        .toList(),
                driver.repeats(),
                count == 0
                        ? driver.times()
                        : new Measurement.LoadTimes(
                                Duration.ZERO, driver.warmupMax(), Measurement.UNTIL_FINISHED),
                facts,
                driver.sharedMachine.on,
                RunRequest.Extras.NONE);
        boolean isKept = output.folder != null;
        MailRun run = new MailRun(spec, script, folder, isKept);
        MailStudy study = new MailStudy(request, interruption, run.progress());
        awaitStart();
        return run.measure(
                isKept ? study : study.withoutReport(),
                Outcomes.settings(spec),
                study::failure,
                this::print);
    }

    private void print(Results results) {
        if (!script.quiet() && !script.json()) {
            results.scenarios().forEach(scenario -> print(scenario, System.out));
            TerminalTable.printSteps(results, System.out);
            TerminalTable.printWarnings(results, System.out);
        }
    }

    /** An interruption stays pending, for the session to see. */
    private void awaitStart() {
        Instant start = startAt;
        if (start == null) {
            return;
        }
        Duration left = Duration.between(Instant.now(), start);
        if (left.isNegative()) {
            throw UserError.usage("--start-at " + start + " has passed");
        }
        if (!script.quiet()) {
            System.err.println("waits until " + start);
        }
        try {
            Thread.sleep(left);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void print(Scenario scenario, PrintStream out) {
        double[] rates = scenario.values(Figure.THROUGHPUT_MSGS_PER_S);
        double rate = known(scenario.get(Figure.THROUGHPUT_MSGS_PER_S));
        out.printf(
                Locale.ROOT,
                "%s: %s msg/s (%s to %s), %s MB/s, limited by %s, driver %.0f%% CPU"
                        + " (%.1f us/msg)%n",
                scenario.id(),
                Digits.text(rate, rates, 1),
                Digits.text(known(scenario.spread().throughputMsgsPerSMin()), rates, 1),
                Digits.text(known(scenario.spread().throughputMsgsPerSMax()), rates, 1),
                Digits.text(rate * scenario.messageSizeKb() / 1000, new double[0], 2),
                scenario.limiting().limitingResource() == null
                        ? "the server"
                        : scenario.limiting().limitingResource(),
                known(scenario.get(Figure.DRIVER_CPU_PERCENT)),
                known(scenario.get(Figure.DRIVER_CPU_US_PER_MSG)));
        boolean closed = "max".equals(scenario.conditions().get(Condition.ASKED_RATE));
        printLatency(
                closed ? "response time in a closed loop, ms" : "latency ms",
                scenario,
                Figure.ACCEPT_LATENCY,
                out);
        printLatency("uncorrected ms", scenario, Figure.UNCORRECTED_LATENCY, out);
        out.printf(
                Locale.ROOT,
                "  messages: %.0f sent, %.0f accepted, %.0f refused, %.0f failed%n",
                Figure.ACCOUNTS.stream().limit(4).map(scenario::get).toArray());
        printServer(scenario, out);
        printEnd(scenario, out);
    }

    /** Where anything is known of it; a dash stands for the rest. */
    private static void printServer(Scenario scenario, PrintStream out) {
        List<Column> known = List.of(
                Figure.CPU_PERCENT, Figure.SERVER_CPU_US_PER_MSG, Figure.LOG_WRITES_PER_MSG);
        if (known.stream().anyMatch(figure -> scenario.get(figure) != null)) {
            out.printf(
                    Locale.ROOT,
                    "  server: its machine %s%% CPU, its processes %s us/msg, %s writes/msg%n",
                    text(scenario.get(Figure.CPU_PERCENT), 1),
                    text(scenario.get(Figure.SERVER_CPU_US_PER_MSG), 1),
                    text(scenario.get(Figure.LOG_WRITES_PER_MSG), 3));
        }
    }

    private static String text(@Nullable Double figure, int decimals) {
        return figure == null ? "-" : Digits.text(figure, new double[0], decimals);
    }

    private static void printEnd(Scenario scenario, PrintStream out) {
        OpenAtEnd open = scenario.openAtEnd();
        if (open != null) {
            out.printf(
                    Locale.ROOT,
                    "  at the end: %d sent and not answered, %d due and not sent, oldest %.1f ms%n",
                    open.unansweredMsgs(),
                    open.unsentMsgs(),
                    known(open.oldestMs()));
        }
        if (scenario.get(Figure.LATENESS.getFirst()) != null) {
            out.printf(
                    Locale.ROOT,
                    "  driver late by its own fault, ms: p50 %s, p99 %s, max %s%n",
                    millis(scenario, Figure.LATENESS));
        }
    }

    private static void printLatency(
            String title, Scenario scenario, List<Column> places, PrintStream out) {
        if (scenario.get(places.getFirst()) != null) {
            out.printf(
                    Locale.ROOT,
                    "  " + title + ": mean %s, p50 %s, p95 %s, p99 %s, p99.9 %s, max %s%n",
                    millis(scenario, places));
        }
    }

    private static Object[] millis(Scenario scenario, List<Column> places) {
        return places.stream().map(place -> text(scenario.get(place), 3)).toArray();
    }

    private static double known(@Nullable Double number) {
        return number == null ? 0 : number;
    }
}
