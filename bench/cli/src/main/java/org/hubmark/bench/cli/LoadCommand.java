package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.OpenAtEnd;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

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
    private LoadOptions load;

    @Option(
            names = "--count",
            defaultValue = "0",
            paramLabel = "N",
            description = "Messages after which each repeat ends, without a warm-up; 0 ends it by"
                    + " time. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Mixin
    private MailRun run;

    @Override
    public Integer call() throws IOException {
        run.check();
        InetSocketAddress target = load.target;
        if (target == null) {
            throw UserError.usage(
                    "Missing required option: '--target=HOST:PORT'; see hubmark load --help");
        }
        List<Messages> sent = load.read(Long.MAX_VALUE);
        Ranges.atLeast("--count", count, 0);
        load.driver.ask(target, run.quiet());
        try (Interruption interruption = new Interruption();
                TargetFacts facts = load.facts()) {
            if (run.given() == null) {
                Path folder = Files.createTempDirectory("hubmark-load-");
                try {
                    return load(sent, facts, folder, interruption);
                } finally {
                    Folders.delete(folder);
                }
            }
            try (MadeFolder results = run.folder(false)) {
                return load(sent, facts, results.path(), interruption);
            }
        }
    }

    private int load(List<Messages> sent, TargetFacts facts, Path folder, Interruption interruption)
            throws IOException {
        RunRequest request = new RunRequest(
                Main.PROGRAM,
                load.scenarios(sent, null, count, Conditions.UNKNOWN),
                load.driver.repeats(),
                count == 0 ? load.driver.times(Duration.ZERO) : load.driver.untilFinished(),
                facts,
                load.driver.sharedMachine.on,
                RunRequest.Extras.NONE,
                null);
        boolean isKept = run.given() != null;
        MailStudy study = run.study(request, interruption);
        return run.measure(
                isKept ? study : study.withoutReport(),
                Outcomes.settings(spec),
                folder,
                isKept,
                LoadCommand::print);
    }

    private static void print(Results results) {
        results.scenarios().forEach(scenario -> print(scenario, System.out));
        Document found = results.document();
        DocumentReport.printParts(found, MailDocument.SCENARIOS, System.out);
        found.findings().warnings().forEach(one -> System.out.println("warning: " + one));
    }

    private static void print(Scenario scenario, PrintStream out) {
        double[] rates = scenario.values(Figure.THROUGHPUT_MSGS_PER_S);
        Double rate = scenario.get(Figure.THROUGHPUT_MSGS_PER_S);
        String limit = scenario.limiting().limitingResource();
        out.println(scenario.id() + ": " + text(rate, 1, rates) + " msg/s ("
                + text(scenario.spread().throughputMsgsPerSMin(), 1, rates) + " to "
                + text(scenario.spread().throughputMsgsPerSMax(), 1, rates) + "), "
                + text(rate == null ? null : rate * scenario.messageSizeKb() / 1000, 2)
                + " MB/s, limited by " + (limit == null ? "the server" : limit) + ", driver "
                + text(scenario.get(Figure.DRIVER_CPU_PERCENT), 0) + "% CPU ("
                + text(scenario.get(Figure.DRIVER_CPU_US_PER_MSG), 1) + " us/msg)");
        boolean closed = "max".equals(scenario.conditions().get(Condition.ASKED_RATE));
        print(
                closed ? "response time in a closed loop, ms" : "latency ms",
                scenario,
                Figure.ACCEPT_LATENCY,
                out);
        print("uncorrected ms", scenario, Figure.UNCORRECTED_LATENCY, out);
        out.println("  messages: " + count(scenario, Figure.SENT) + " sent, "
                + count(scenario, Figure.ACCEPTED) + " accepted, "
                + count(scenario, Figure.REFUSED) + " refused, "
                + count(scenario, Figure.FAILED) + " failed");
        Double machine = scenario.get(Figure.CPU_PERCENT);
        Double server = scenario.get(Figure.SERVER_CPU_US_PER_MSG);
        Double writes = scenario.get(Figure.LOG_WRITES_PER_MSG);
        if (machine != null || server != null || writes != null) {
            out.println("  server: its machine " + text(machine, 1) + "% CPU, its processes "
                    + text(server, 1) + " us/msg, " + text(writes, 3) + " writes/msg");
        }
        OpenAtEnd open = scenario.openAtEnd();
        if (open != null) {
            out.println("  at the end: " + open.unansweredMsgs() + " sent and not answered, "
                    + open.unsentMsgs() + " due and not sent, oldest " + text(open.oldestMs(), 1)
                    + " ms");
        }
        List<String> late = millis(scenario, Figure.LATENESS);
        if (!late.getFirst().equals(Cells.UNKNOWN)) {
            out.println("  driver late by its own fault, ms: p50 " + late.get(0) + ", p99 "
                    + late.get(1) + ", max " + late.get(2));
        }
    }

    private static void print(
            String title, Scenario scenario, List<Column> places, PrintStream out) {
        if (scenario.get(places.getFirst()) != null) {
            out.printf(
                    "  %s: mean %s, p50 %s, p95 %s, p99 %s, p99.9 %s, max %s%n",
                    Stream.concat(Stream.of(title), millis(scenario, places).stream())
                            .toArray());
        }
    }

    private static List<String> millis(Scenario scenario, List<Column> places) {
        return places.stream().map(place -> text(scenario.get(place), 3)).toList();
    }

    private static String count(Scenario scenario, Column messages) {
        Double known = scenario.get(messages);
        return known == null ? Cells.UNKNOWN : String.valueOf(Math.round(known));
    }

    /** {@return a figure, with as many digits as those of the repeats support; a dash where it isn't known} */
    private static String text(@Nullable Double figure, int decimals, double... repeats) {
        return figure == null ? Cells.UNKNOWN : Digits.text(figure, repeats, decimals);
    }
}
