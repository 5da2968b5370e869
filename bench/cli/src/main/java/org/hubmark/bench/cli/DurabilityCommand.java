package org.hubmark.bench.cli;

import org.hubmark.bench.crash.Campaign;
import org.hubmark.bench.crash.CrashVerdict;
import org.hubmark.bench.crash.Kind;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.core.Durability;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Crashes a server under load and checks what it had acknowledged. */
@Command(
        name = "durability",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Crashes a server under load, again and again, and checks that every message that it"
                    + " answered with 250 is there with its content, as its durability class promises.",
            "Exits with 0 if every promise was kept, 1 if one was broken, 3 if no fault took effect."
        })
public final class DurabilityCommand implements Callable<Integer> {
    private static final int BROKEN = 1;
    private static final int CONNECTIONS_MAX = 1000;
    private static final int INTERRUPTED = 130;
    private static final String KINDS =
            "kill,power,torn,flip,full,eio,clock,stop,fds,memory,hang,lost-write,misdirected,"
                    + "unreadable,simulated,rot";

    @Option(
            names = "--class",
            paramLabel = "CLASS",
            split = ",",
            defaultValue = "synced,periodic,none",
            converter = Converters.DurabilityClass.class,
            description =
                    "Durability classes to test: synced, periodic[=10ms], none; with --server, the"
                            + " promise to expect. Default: ${DEFAULT-VALUE}.")
    private List<Durability> classes;

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            defaultValue = KINDS,
            description = "Kinds of crashes. Default: ${DEFAULT-VALUE}.")
    private List<Kind> kinds;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description =
                    "Time for the whole test: each kind in each class has its turn until the time is"
                            + " up; those that had none are named. Default: 60s, unless --crashes is"
                            + " given.")
    private @Nullable Duration time;

    @Option(
            names = "--crashes",
            paramLabel = "N",
            description = "Crashes of each kind in each class. Default: as many as --for allows.")
    private @Nullable Integer crashes;

    @Option(
            names = "--stop",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description =
                    "Length of the first halt: of the process for the kind stop, of a device for"
                            + " hang. Default: 1m with --for 10m or more or --crashes 100 or more, otherwise"
                            + " 3s at most.")
    private @Nullable Duration stop;

    @Option(
            names = "--ignore-flushes",
            description =
                    "Checks the test itself: the devices of the kind power acknowledge flushes and"
                            + " ignore them, as with barriers off, so that mail is lost and the exit"
                            + " code is 1. Default: flushes are done.")
    private boolean ignoreFlushes;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    private CommonOptions.Connections connections;

    @Option(
            names = "--server",
            paramLabel = "COMMAND",
            description =
                    "Shell command that starts another server in the foreground, with {port} and"
                            + " {data}, the folder below which it keeps all its files; needs"
                            + " --read-back. Default: a hub of its own.")
    private @Nullable String server;

    @Option(
            names = "--read-back",
            paramLabel = "COMMAND",
            description =
                    "Shell command that writes the queue of the server in {data} into the folder {to},"
                            + " a file a message; it runs after each crash, when the server is up"
                            + " again. Default: none, which a hub of its own does not need.")
    private @Nullable String readBack;

    @Mixin
    private CommonOptions.Output output;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Mixin
    private JUnitOption junit;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        check();
        junit.check();
        // Stores are opened here that are meant to fail; what became of them is in the results.
        System.setProperty("hubmark.log.queue", "off");
        Campaign.Request request = new Campaign.Request(
                classes,
                kinds,
                crashes == null ? (time == null ? Duration.ofSeconds(60) : time) : null,
                crashes == null ? 0 : crashes,
                stop,
                seed.value,
                ignoreFlushes,
                connections.count,
                server,
                readBack);
        PrintStream err = System.err;
        Campaign campaign;
        try (Interruption interruption = new Interruption();
                MadeFolder results = output.make()) {
            Path folder = results.path();
            campaign = new Campaign(
                    request, Main.PROGRAM, folder, quiet.on ? line -> {} : err::println);
            if (!quiet.on) {
                err.println(campaign.outline());
                err.println("seed " + seed.value);
            }
            campaign.run();
            if (json.on) {
                System.out.println(campaign.json());
                System.out.flush();
            } else if (!quiet.on) {
                print(campaign, folder);
            }
            junit.write(spec, cases(campaign));
            campaign.failures().forEach(line -> err.println("hubmark: promise broken: " + line));
        }
        if (campaign.interrupted()) {
            return INTERRUPTED;
        }
        if (!campaign.failures().isEmpty()) {
            return BROKEN;
        }
        if (campaign.verdicts().isEmpty()) {
            campaign.skipped().forEach(line -> err.println("hubmark: no verdict: " + line));
            return Outcomes.INVALID;
        }
        return 0;
    }

    private static List<JUnitFile.Case> cases(Campaign campaign) {
        Stream<JUnitFile.Case> verdicts = campaign.verdicts().stream()
                .map(verdict -> new JUnitFile.Case(
                        verdict.durability() + " " + verdict.kind(),
                        verdict.promiseKept() ? JUnitFile.Status.PASSED : JUnitFile.Status.FAILURE,
                        String.format(
                                Locale.ROOT,
                                "promise broken: of %d acknowledged messages %d were lost and %d"
                                        + " corrupted; seeds that repeat it: %s",
                                verdict.acknowledgedMsgs(),
                                verdict.lostMsgs(),
                                verdict.corruptedMsgs(),
                                verdict.seedsOfFailures())));
        Stream<JUnitFile.Case> skipped = campaign.skipped().stream()
                .map(line -> new JUnitFile.Case(line, JUnitFile.Status.SKIPPED, line));
        return Stream.concat(verdicts, skipped).toList();
    }

    private void check() {
        if (time != null && crashes != null) {
            throw UserError.usage("--for and --crashes exclude each other");
        }
        if (crashes != null) {
            Ranges.atLeast("--crashes", crashes, 1);
        }
        if (time != null) {
            Ranges.aboveZero("--for", time);
        }
        if (stop != null && !kinds.contains(Kind.STOP) && !kinds.contains(Kind.HANG)) {
            throw UserError.usage("--stop is for the kinds stop and hang; --kinds names neither");
        }
        if (ignoreFlushes && !kinds.equals(List.of(Kind.POWER))) {
            throw UserError.usage("--ignore-flushes is for --kinds power alone");
        }
        connections.check(CONNECTIONS_MAX);
        if ((server == null) != (readBack == null)) {
            throw UserError.usage("--server and --read-back belong together");
        }
    }

    private static void print(Campaign campaign, Path folder) {
        PrintStream out = System.out;
        List<String> rows = new ArrayList<>();
        String format = "%-11s %-14s %8s %12s %6s %6s %6s %8s %9s %9s %9s %9s  %s%n";
        out.printf(
                Locale.ROOT,
                format,
                "kind",
                "class",
                "crashes",
                "acknowledged",
                "lost",
                "twice",
                "order",
                "corrupt",
                "window ms",
                "ready ms",
                "max ms",
                "risk 95%",
                "promise");
        for (CrashVerdict verdict : campaign.verdicts()) {
            out.printf(
                    Locale.ROOT,
                    format,
                    verdict.kind(),
                    verdict.durability(),
                    verdict.crashes(),
                    verdict.acknowledgedMsgs(),
                    verdict.lostMsgs(),
                    verdict.duplicatedMsgs(),
                    verdict.reorderedMsgs(),
                    verdict.corruptedMsgs(),
                    cell(verdict.lossWindowMs()),
                    cell(verdict.recoveryMs().p50()),
                    cell(verdict.recoveryMs().max()),
                    chance(verdict.lossChanceUpperBound()),
                    verdict.promiseKept() ? "kept" : "BROKEN");
        }
        campaign.skipped().forEach(line -> rows.add("skipped " + line));
        rows.forEach(out::println);
        out.println();
        out.println(
                "risk 95%: upper bound of the chance that a crash loses acknowledged mail, with 95 %"
                        + " confidence (rule of three; exact binomial after a loss)");
        out.println("results in " + folder);
    }

    private static String chance(@Nullable Double chance) {
        return chance == null ? "-" : String.format(Locale.ROOT, "%.3f%%", 100 * chance);
    }

    private static String cell(@Nullable Double millis) {
        return millis == null ? "-" : String.format(Locale.ROOT, "%.1f", millis);
    }
}
