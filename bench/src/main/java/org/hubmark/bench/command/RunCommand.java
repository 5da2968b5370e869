package org.hubmark.bench.command;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Starts a hub, loads it with each message size, prints the table and writes the results. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Starts a hub of its own in a child process, loads it with each message size,"
                + " prints the table and writes the results.")
public final class RunCommand implements Callable<Integer> {
    /** What serve takes where it isn't told otherwise. */
    private static final long MESSAGE_BYTES_MAX = 150_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private DriverOptions driver;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            converter = Converters.HostPort.class,
            description = "Loads this server and starts none; what can't be known of it stays"
                    + " unknown. Default: a hub of our own.")
    private @Nullable InetSocketAddress target;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Gets results.json, report.html, report.md, samples.csv and the .hlog"
                    + " files. Default: hubmark-results/DATE-TIME.")
    private @Nullable Path output;

    @Override
    public Integer call() throws IOException {
        driver.check(MESSAGE_BYTES_MAX);
        return 0;
    }
}
