package org.hubmark.bench.cli;

import org.hubmark.bench.cli.CommonOptions.Switch;
import org.hubmark.bench.machine.volumes.WriteCache;
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
            "Shows whether the kernel assumes a volatile write cache in the device of a folder;"
                    + " root may change that.",
            "Does not change the device itself. With on, a sync sends a flush to the device; with"
                    + " off it sends none, and a power loss loses mail if the device has such a"
                    + " cache."
        })
final class VolumesWriteCacheCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Folder on the device.")
    private Path folder;

    @Option(
            names = "--set",
            paramLabel = "on|off",
            description = "Write cache to assume from now on, until the machine starts again; the"
                    + " command that sets it back is printed. Default: shows it only.")
    private @Nullable Switch set;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        VolumesCommand.checkFolders(List.of(folder));
        PrintWriter out = spec.commandLine().getOut();
        try {
            WriteCache cache = WriteCache.of(folder);
            if (set == null) {
                out.println(Switch.of(cache.on()) + " (" + cache.text() + ")");
            } else {
                Switch before = Switch.of(cache.on());
                // Not closed: it is to stay so.
                var unused = cache.set(set == Switch.ON);
                out.println("now " + set + ", was " + before
                        + (before == Switch.of(cache.on())
                                ? ""
                                : "; to set it back: ./hubmark volumes write-cache " + folder
                                        + " --set " + before));
            }
        } catch (IOException e) {
            throw VolumesCommand.failed(e);
        }
        out.flush();
        return 0;
    }
}
