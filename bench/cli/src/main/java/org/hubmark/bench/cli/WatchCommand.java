package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.ControlGroup;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.NamedProcesses;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.machine.volumes.VolumeFolders;
import org.hubmark.bench.measure.watch.WatchServer;
import org.hubmark.bench.measure.watch.WatchToken;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** Hands out the counters of a server's machine. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "On a server's machine: hands out its CPU and disk counters to a driver elsewhere"
                    + " (--target-watch of run, load and matrix), until it is ended by Ctrl-C or"
                    + " SIGTERM. It only reads.",
            "The line 'listening on HOST:PORT' on standard output says that it is ready."
        })
public final class WatchCommand implements Callable<Integer> {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9925",
            converter = Converters.Address.class,
            description = "Where to answer; port 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private InetSocketAddress listen;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with a word that each driver has to show; may be left out on a"
                    + " loopback address only. Default: none.")
    private @Nullable Path token;

    @Option(
            names = "--processes",
            split = ",",
            paramLabel = "NAME",
            description = "The server's programs: their CPU time, and that of what descends from"
                    + " them, is the server's. Default: unknown.")
    private @Nullable List<String> processes;

    @Option(
            names = "--cgroup",
            paramLabel = "PATH",
            description = "The server's control group, in place of --processes: all CPU time in it"
                    + " is the server's, exactly. Default: unknown.")
    private @Nullable String group;

    @Option(
            names = "--volume",
            split = ",",
            paramLabel = "ROLE=DIR",
            description = "Where the server writes: log, queue or tracking, and a folder on its"
                    + " device. Default: unknown.")
    private Map<String, Path> volumes = new TreeMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (processes != null && group != null) {
            throw UserError.usage("--processes and --cgroup exclude each other");
        }
        boolean loopback = !listen.isUnresolved() && listen.getAddress().isLoopbackAddress();
        if (token == null && !loopback) {
            throw UserError.usage("--listen " + Converters.format(listen)
                    + " is not a loopback address: a watch there wants a --token-file");
        }
        WatchToken shown = token == null ? null : WatchToken.read(token, "--token-file");
        ServerCpu server = server();
        List<Volume> known = volumes();
        Environment machine = Machine.inspect(known).with(Disclosure.ofMachine(HostFiles.HERE));
        CycleSource cycles = CycleSource.open();
        List<String> devices = known.stream()
                .map(volume -> String.valueOf(volume.device()))
                .distinct()
                .toList();
        WatchServer started;
        try {
            started = WatchServer.start(
                    listen,
                    shown,
                    new WatchServer.Watched(
                            Main.version(),
                            server != null,
                            cycles.words(),
                            new LocalMachine(server, cycles, devices),
                            machine));
        } catch (IOException e) {
            throw UserError.failed(String.valueOf(e.getMessage()));
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            started.close();
                            cycles.close();
                            // The JVM would exit with 130 or 143; being ended is what it waits for.
                            Runtime.getRuntime().halt(0);
                        },
                        "end-watch"));
        System.out.println("listening on " + Converters.format(started.address()));
        System.out.flush();
        // Until a signal comes.
        new CountDownLatch(1).await();
        return 0;
    }

    private @Nullable ServerCpu server() {
        if (group != null) {
            return ControlGroup.at(group, HostFiles.HERE, "--cgroup");
        }
        return processes == null
                ? null
                : NamedProcesses.named(processes, HostFiles.HERE, "--processes");
    }

    private List<Volume> volumes() throws IOException {
        List<Volume> all = new ArrayList<>();
        for (Map.Entry<String, Path> one : volumes.entrySet()) {
            String role = one.getKey();
            if (!VolumeFolders.ROLES.contains(role)) {
                throw UserError.usage("--volume " + role + "=" + one.getValue()
                        + ": a role is log, queue or tracking");
            }
            all.add(TargetOptions.counted(
                    "--volume " + role + "=" + one.getValue(), role, one.getValue()));
        }
        return all;
    }
}
