package org.hubmark.bench.cli;

import org.hubmark.bench.micro.CostProfiler;
import org.hubmark.core.FileErrors;
import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Runs the JMH benchmarks: single parts, away from the machine's noise as far as that goes. */
@Command(
        name = "micro",
        mixinStandardHelpOptions = true,
        description = "Runs the JMH benchmarks of single parts. Progress goes to standard error.")
public final class MicroCommand implements Callable<Integer> {
    private static final String PACKAGE = "org\\.hubmark\\.bench\\.micro\\.";
    private static final String VECTORS = "jdk.incubator.vector";
    private static final int SECONDS = 2;
    private static final int QUICK_MILLIS = 200;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            defaultValue = "",
            description =
                    "Regular expression that the names of the benchmarks match. Default: all.")
    private String pattern;

    @Option(
            names = "--forks",
            defaultValue = "2",
            description = "New JVMs for each benchmark. Default: ${DEFAULT-VALUE}.")
    private int forks;

    @Option(
            names = "--iterations",
            defaultValue = "5",
            description = "Measured iterations in each JVM, 2 s each. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--quick",
            description =
                    "Runs one JVM and iterations of 200 ms: shows that a benchmark runs, not how fast"
                            + " it is. Default: --forks and --iterations.")
    private boolean quick;

    @Option(
            names = "--volume",
            paramLabel = "DIR",
            description = "Folder that benchmarks of the log and the store write to; must be on a"
                    + " disk, not on tmpfs. Default: the folder of temporary files.")
    private @Nullable Path volume;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "File that JMH's results are written to as JSON. Default: none.")
    private @Nullable Path output;

    @Mixin
    private CommonOptions.Json json;

    @Override
    public Integer call() throws IOException {
        if (forks < 1 || iterations < 1) {
            throw UserError.usage("--forks and --iterations must be 1 or more");
        }
        Path file = output;
        if (file != null) {
            // Said before hours of measuring.
            OutputFile.write(file, "");
        }
        OutputFormat progress = json.on
                ? OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL)
                : null;
        // JMH itself would follow a link.
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ResultFormatFactory.getInstance(
                        ResultFormatType.JSON, new PrintStream(text, true, StandardCharsets.UTF_8))
                .writeOut(run(options(), progress));
        if (file != null) {
            OutputFile.write(file, text::writeTo);
        }
        if (json.on) {
            System.out.print(text.toString(StandardCharsets.UTF_8));
            System.out.flush();
        }
        return 0;
    }

    private Collection<RunResult> run(
            ChainedOptionsBuilder options, @Nullable OutputFormat progress) {
        try {
            Runner runner = progress == null
                    ? new Runner(options.build())
                    : new Runner(options.build(), progress);
            return runner.run();
        } catch (NoBenchmarksException e) {
            throw UserError.usage(
                    "no benchmark matches '" + pattern + "'; without a pattern, all run");
        } catch (RunnerException e) {
            throw UserError.failed(
                    String.valueOf(e.getMessage()).contains("JMH lock")
                            ? lockWords()
                            : "a benchmark failed: " + e.getMessage());
        }
    }

    /** JMH has one lock for all users of the machine. */
    private static String lockWords() {
        Path lock = Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock");
        String cure =
                "; remove it, or name another folder:" + " HUBMARK_JAVA_OPTS=-Djava.io.tmpdir=DIR";
        try {
            return Files.isWritable(lock)
                    ? "another benchmark runs, which holds " + lock + "; wait for its end"
                    : lock + " belongs to user " + Files.getOwner(lock)
                            + " and can't be locked (permission denied)" + cure;
        } catch (IOException e) {
            return lock + " can't be locked (" + FileErrors.reason(e) + ")" + cure;
        }
    }

    private ChainedOptionsBuilder options() {
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw UserError.usage(
                    "'" + pattern + "' is not a regular expression: " + e.getDescription());
        }
        TimeValue time = quick ? TimeValue.milliseconds(QUICK_MILLIS) : TimeValue.seconds(SECONDS);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(PACKAGE + ".*" + pattern)
                .forks(quick ? 1 : forks)
                .warmupIterations(quick ? 1 : iterations)
                .warmupTime(time)
                .measurementIterations(quick ? 2 : iterations)
                .measurementTime(time)
                .addProfiler(CostProfiler.class)
                .shouldFailOnError(true);
        // As a hub is started. A JVM that is told to add a module that it lacks does not start.
        if (ModuleFinder.ofSystem().find(VECTORS).isPresent()) {
            options.jvmArgsAppend("--add-modules=" + VECTORS);
        }
        if (volume != null) {
            options.param("volume", volume.toAbsolutePath().toString());
        }
        return options;
    }
}
