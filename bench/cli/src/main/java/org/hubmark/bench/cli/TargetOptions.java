package org.hubmark.bench.cli;

import org.hubmark.bench.machine.watch.TargetFacts;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;

/** What can be said of a target: on this machine, or of how its own machine is asked. */
final class TargetOptions {
    @Mixin
    private ServerMachineOptions machine;

    @Option(
            names = "--target-volume",
            paramLabel = "DIR",
            description = "Folder that the target writes to on this machine: the log columns"
                    + " show the writes of its device. Default: unknown.")
    private @Nullable Path volume;

    /**
     * {@return what is known; the caller's, who closes it} Starts the watch of a target on another machine.
     *
     * @param target null when the hub is ours
     */
    TargetFacts facts(@Nullable InetSocketAddress target) throws IOException {
        return machine.facts(
                "a --target", target != null, volume == null ? Map.of() : Map.of("log", volume));
    }
}
