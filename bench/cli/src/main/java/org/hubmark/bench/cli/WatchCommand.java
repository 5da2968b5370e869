package org.hubmark.bench.cli;

import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.WatchLoop;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/** Hands the counters of a server's machine through a pipe. */
@Command(
        name = "watch",
        description = {
            "Writes the CPU and disk counters of a server's machine to standard output, for a driver on"
                    + " another one (--target-watch of run, load and users).",
            "Ends with standard input, and changes nothing. Each line is JSON: the first describes the machine too, and each line of standard"
                    + " input is answered by one more."
        })
public final class WatchCommand implements Callable<Integer> {
    /** Required, and nothing reads it: there is one way to the driver. */
    @Option(
            names = "--stdio",
            required = true,
            description = "Talks to the driver over standard input and output. Required.")
    boolean stdio;

    @ArgGroup(exclusive = true)
    private Server server = new Server();

    /** What the CPU time of the server is that of. */
    private static final class Server {
        @Option(
                names = "--processes",
                split = ",",
                paramLabel = "NAME",
                description = "Programs of the server.")
        private @Nullable List<String> processes;

        @Option(
                names = "--cgroup",
                paramLabel = "PATH",
                description = "Control group of the server, for its CPU time.")
        private @Nullable String group;
    }

    @Option(
            names = "--volume",
            split = ",",
            paramLabel = "ROLE=DIR",
            description = "Folders of the server; ROLE: log, queue, tracking, mailboxes.")
    private @Nullable List<String> volumes;

    @Override
    public Integer call() throws IOException {
        ServerCpu cpu = ServerMachineOptions.cpu(server.processes, server.group, "--");
        List<VolumeDisclosure> known = ServerMachineOptions.volumes("--volume", volumes);
        Environment machine =
                Machine.inspect(known).withDisclosure(Disclosure.ofMachine(HostFiles.HERE));
        List<String> devices = known.stream()
                .map(volume -> String.valueOf(volume.device()))
                .distinct()
                .toList();
        CycleSource cycles = new CycleSource(HostFiles.HERE);
        try (MachineSource source = new LocalMachine(cpu, cycles, devices)) {
            WatchLoop.run(
                    System.in,
                    new FileOutputStream(FileDescriptor.out),
                    new WatchLoop.Server(Main.version(), cpu != null, source, machine));
        }
        return 0;
    }
}
