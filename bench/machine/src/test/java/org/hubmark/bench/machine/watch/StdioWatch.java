package org.hubmark.bench.machine.watch;

import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.ProcessFamily;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A watch over the pipes of its process. Takes the word volume or processes and what it names. */
public final class StdioWatch {
    private StdioWatch() {}

    /** Writes until its input ends. */
    public static void main(String... arguments) throws IOException {
        String what = arguments.length == 2 ? arguments[0] : "";
        List<VolumeDisclosure> volumes = what.equals("volume")
                ? List.of(VolumeDisclosure.of("log", Path.of(arguments[1])))
                : List.of();
        ServerCpu server = what.equals("processes")
                ? ProcessFamily.named(List.of(arguments[1]), HostFiles.HERE, "--processes")
                : null;
        CycleSource cycles = new CycleSource(HostFiles.HERE);
        WatchLoop.run(
                System.in,
                System.out,
                new WatchLoop.Server(
                        "test",
                        server != null,
                        new LocalMachine(
                                server,
                                cycles,
                                volumes.stream()
                                        .map(volume -> String.valueOf(volume.device()))
                                        .toList()),
                        Machine.inspect(volumes)
                                .withDisclosure(Disclosure.ofMachine(HostFiles.HERE))));
    }
}
