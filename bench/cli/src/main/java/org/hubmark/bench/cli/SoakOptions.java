package org.hubmark.bench.cli;

import org.hubmark.bench.durability.CrashKind;
import org.hubmark.bench.durability.Soak;
import org.hubmark.bench.durability.soak.HistoryFile;
import org.hubmark.bench.durability.soak.HistoryLine;
import org.hubmark.bench.durability.soak.SoakReport;
import org.hubmark.bench.durability.soak.SoakText;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.machine.MeasuringRun;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Crashes for hours whose results add up, and what they add up to. */
final class SoakOptions {
    private static final int SIDE_BY_SIDE_MAX = 64;

    /** A soak draws its seeds, crashes our own hub, and has one file for its results. */
    private static final List<String> NOT_OF_A_SOAK = List.of(
            "--crashes",
            "--stop",
            "--ignore-flushes",
            "--seed",
            "--server",
            "--read-back",
            "--output",
            "--junit");

    private static final List<String> NOT_OF_A_REPORT =
            List.of("--class", "--kinds", "--for", "--connections", "--side-by-side");

    @Option(
            names = "--soak",
            paramLabel = "DIR",
            description =
                    "Folder to which a soak adds: runs histories with seeds that the folder has"
                            + " not had yet, for --for or until it is interrupted, kinds and classes by"
                            + " their weights, and writes a line for each to crashes.jsonl there."
                            + " Default: no soak.")
    private @Nullable Path folder;

    @Option(
            names = "--side-by-side",
            paramLabel = "N",
            description =
                    "Real histories that a soak runs at once; one with a device that hangs runs"
                            + " alone, and simulated ones have a thread of their own."
                            + " Default: one for each processor.")
    private @Nullable Integer sideBySide;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            split = ",",
            description =
                    "Folders of soaks to add up, for each store format, kind and class; crashes"
                            + " nothing. Different store formats are never added up."
                            + " Default: no report.")
    private @Nullable List<Path> reported;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** {@return whether one of them was given, and so nothing else is done} */
    boolean asked() {
        return folder != null || reported != null;
    }

    /** Refuses what does not go together. */
    void check() {
        if (reported != null) {
            GivenOptions.refuse(spec, List.of("--soak"), "and --report exclude each other");
            GivenOptions.refuse(
                    spec, NOT_OF_A_SOAK, "does not go with --report, which crashes nothing");
            GivenOptions.refuse(
                    spec, NOT_OF_A_REPORT, "does not go with --report, which crashes nothing");
        } else if (folder != null) {
            GivenOptions.refuse(
                    spec,
                    NOT_OF_A_SOAK,
                    "does not go with --soak, which draws its seeds, crashes hubs of its own and writes"
                            + " to its own folder");
            if (sideBySide != null) {
                Ranges.within("--side-by-side", sideBySide, 1, SIDE_BY_SIDE_MAX);
            }
        } else {
            GivenOptions.refuse(spec, List.of("--side-by-side"), "is for --soak");
        }
    }

    /**
     * Does what was asked for.
     *
     * @return the exit code
     */
    int run(
            List<Durability> classes,
            List<CrashKind> kinds,
            @Nullable Duration time,
            int connections,
            StudyOptions shown)
            throws IOException {
        List<Path> folders = reported;
        return folders == null
                ? soak(Objects.requireNonNull(folder), classes, kinds, time, connections, shown)
                : report(folders, shown);
    }

    private static int report(List<Path> folders, StudyOptions shown) throws IOException {
        List<HistoryLine> lines = new ArrayList<>();
        for (Path one : folders) {
            HistoryFile.Contents found = HistoryFile.read(one);
            String torn = found.torn(one);
            if (torn != null) {
                shown.say(torn);
            }
            lines.addAll(found.lines());
        }
        SoakReport report = SoakReport.of(lines);
        print(report, shown);
        if (report.formats().isEmpty()) {
            System.err.println("hubmark: no verdict: no history in " + folders);
            return Outcomes.INVALID;
        }
        for (SoakReport.Format format : report.formats()) {
            format.failures()
                    .forEach(line -> System.err.println("hubmark: promise broken: " + line));
        }
        return report.promiseKept() ? 0 : 1;
    }

    private int soak(
            Path own,
            List<Durability> classes,
            List<CrashKind> kinds,
            @Nullable Duration time,
            int connections,
            StudyOptions shown)
            throws IOException {
        Soak soak = new Soak(
                new Soak.Request(
                        own,
                        classes,
                        !spec.commandLine().getParseResult().hasMatchedOption("--class"),
                        kinds,
                        time,
                        connections,
                        sideBySide == null
                                ? Runtime.getRuntime().availableProcessors()
                                : sideBySide),
                Main.PROGRAM,
                shown::say);
        AtomicInteger code = new AtomicInteger(Outcomes.INTERRUPTED);
        try (MeasuringRun unused = MeasuringRun.begin(MeasuringRun.FOLDER, spec.qualifiedName());
                Interruption unusedToo = new Interruption(code::get)) {
            Soak.Outcome found = soak.run();
            List<HistoryLine> all = new ArrayList<>(found.earlier());
            all.addAll(found.lines());
            print(SoakReport.of(all), shown);
            code.set(exitCode(found));
            return code.get();
        }
    }

    private static int exitCode(Soak.Outcome found) {
        if (!found.isKept()) {
            found.lines().stream()
                    .filter(line -> Boolean.FALSE.equals(line.verdict().promiseKept()))
                    .flatMap(line -> line.verdict().failures().stream())
                    .forEach(line -> System.err.println("hubmark: promise broken: " + line));
            return 1;
        }
        if (!found.isJudged()) {
            System.err.println("hubmark: no verdict: no history came to its end");
            return Outcomes.INVALID;
        }
        return 0;
    }

    private static void print(SoakReport report, StudyOptions shown) {
        if (shown.isJson()) {
            System.out.println(JsonFile.text(report));
        } else if (!shown.isQuiet()) {
            SoakText.of(report).forEach(System.out::println);
        }
        System.out.flush();
    }
}
