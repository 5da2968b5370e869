package org.hubmark.bench.cli;

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
import java.util.Locale;
import java.util.concurrent.Callable;

/** Shows and changes how the kernel treats the write cache of a device. */
@Command(
        name = "write-cache",
        mixinStandardHelpOptions = true,
        description = {
            "Shows whether the kernel assumes a volatile write cache in the device of a folder;"
                    + " root may change that.",
            "Does not change the device itself. With write-back a sync sends a flush to the device;"
                    + " with write-through it sends none, and a power loss loses mail if the"
                    + " device has such a cache: what matrix calls --write-cache on."
        })
final class VolumesWriteCacheCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Folder on the device.")
    private Path folder;

    @Option(
            names = "--set",
            paramLabel = "write-back|write-through",
            description = "Cache to assume from now on, until the machine starts again; the"
                    + " command that sets it back is printed. Default: shows it only.")
    private @Nullable Mode set;

    @Spec
    private CommandSpec spec;

    /** As the kernel calls it; on and off would be read in two senses. */
    private enum Mode {
        WRITE_BACK,
        WRITE_THROUGH;

        static Mode of(WriteCache cache) throws IOException {
            return cache.sendsFlushes() ? WRITE_BACK : WRITE_THROUGH;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    public Integer call() {
        VolumesCommand.checkFolders(List.of(folder));
        PrintWriter out = spec.commandLine().getOut();
        try {
            WriteCache cache = WriteCache.of(folder);
            if (set == null) {
                Mode now = Mode.of(cache);
                out.println(now
                        + (now == Mode.WRITE_BACK
                                ? " (a sync sends a flush)"
                                : " (a sync sends no flush)"));
            } else {
                Mode before = Mode.of(cache);
                // Not closed: it is to stay so.
                var unused = cache.set(set == Mode.WRITE_BACK);
                out.println("now " + set + ", was " + before
                        + (before == Mode.of(cache)
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
