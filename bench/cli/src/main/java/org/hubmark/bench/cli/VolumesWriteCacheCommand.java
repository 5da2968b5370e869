package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.WriteCache;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Shows and changes how the kernel treats the write cache of a device. */
@Command(
        name = "write-cache",
        mixinStandardHelpOptions = true,
        description = {
            "Shows, or changes with root, whether the kernel takes the device behind a folder to"
                    + " have a volatile write cache.",
            "The device itself stays as it is: on means that syncs send it flushes, off that they"
                    + " send none, which loses mail at a power loss if there is such a cache."
        })
final class VolumesWriteCacheCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "A folder on the device.")
    private Path folder;

    @Option(
            names = "--set",
            paramLabel = "on|off",
            description = "Changes it, until the machine starts again or it is set back;"
                    + " the command to set it back is printed. Default: only shows.")
    private @Nullable String set;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (set != null && !List.of("on", "off").contains(set)) {
            throw UserError.usage("--set is on or off, not '" + set + "'");
        }
        VolumesCommand.checkFolders(List.of(folder));
        PrintWriter out = spec.commandLine().getOut();
        try {
            WriteCache cache = WriteCache.of(folder);
            if (set == null) {
                out.println((cache.on() ? "on" : "off") + " (" + cache.text() + ")");
            } else {
                boolean before = cache.on();
                // Not closed: what is asked for is that it stays.
                var unused = cache.set(set.equals("on"));
                out.println("now " + set + ", was " + (before ? "on" : "off")
                        + (before == cache.on()
                                ? ""
                                : "; to set it back: ./hubmark volumes write-cache " + folder
                                        + " --set " + (before ? "on" : "off")));
            }
        } catch (IOException e) {
            throw VolumesCommand.failed(e);
        }
        out.flush();
        return 0;
    }
}
