package org.hubmark.bench.cli;

import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.watch.WatchServer;
import org.hubmark.bench.measure.watch.WatchToken;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
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
            "Serves the CPU and disk counters of a server's machine to a driver on another one"
                    + " (--target-watch of run, load, matrix and users) until it is ended by Ctrl-C or"
                    + " SIGTERM. Changes nothing.",
            "Prints 'listening on HOST:PORT' on standard output when it is ready. A driver that"
                    + " reaches the machine by ssh starts a watch by itself (--target-host)."
        })
public final class WatchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Role of the volume with the mailboxes of a mail system whose users read their mail. */
    private static final String MAILBOXES = "mailboxes";

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9925",
            converter = Converters.Address.class,
            description =
                    "Address to listen on; port 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private InetSocketAddress listen;

    @Option(
            names = "--stdio",
            description =
                    "Answers requests from standard input on standard output, in place of listening,"
                            + " and ends when its input ends; for a driver that starts this watch by"
                            + " ssh. Default: listens.")
    private boolean stdio;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with a token that each driver must present; needed unless --listen is"
                            + " a loopback address. Default: none.")
    private @Nullable Path token;

    @Option(
            names = "--processes",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Programs of the server: the CPU time of them and their descendants is the"
                            + " server's. Default: unknown.")
    private @Nullable List<String> processes;

    @Option(
            names = "--cgroup",
            paramLabel = "PATH",
            description = "Control group of the server, in place of --processes: all CPU time in it"
                    + " is the server's, exactly. Default: unknown.")
    private @Nullable String group;

    @Option(
            names = "--volume",
            split = ",",
            paramLabel = "ROLE=DIR",
            description =
                    "Folders that the server writes to, each with its role: log, queue, tracking"
                            + " or mailboxes. Default: unknown.")
    private Map<String, Path> volumes = new TreeMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (processes != null && group != null) {
            throw UserError.usage("--processes and --cgroup exclude each other");
        }
        if (stdio && (isGiven("--listen") || token != null)) {
            throw UserError.usage(
                    "--listen and --token-file don't go with --stdio: nothing listens");
        }
        if (listen.isUnresolved()) {
            throw UserError.usage("--listen " + listen.getHostString() + ": no such host");
        }
        if (token == null && !listen.getAddress().isLoopbackAddress()) {
            throw UserError.usage("--listen " + Converters.format(listen)
                    + " is not a loopback address: a watch there needs a --token-file");
        }
        WatchToken shown = token == null ? null : WatchToken.read(token, "--token-file");
        ServerCpu server = ServerMachineOptions.cpu(processes, group, "--");
        List<VolumeDisclosure> known = volumes();
        Environment machine = Machine.inspect(known).with(Disclosure.ofMachine(HostFiles.HERE));
        CycleSource cycles = CycleSource.open();
        List<String> devices = known.stream()
                .map(volume -> String.valueOf(volume.device()))
                .distinct()
                .toList();
        MachineSource source = new LocalMachine(server, cycles, devices);
        WatchServer.Watched watched = new WatchServer.Watched(
                Main.version(),
                server != null,
                cycles.words(),
                source,
                machine);
        WatchServer started = stdio ? null : start(shown, watched);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            if (started != null) {
                                started.close();
                            }
                            source.close();
                            cycles.close();
                            // The JVM would exit with 130 or 143; being ended is what it waits for.
                            Runtime.getRuntime().halt(0);
                        },
                        "end-watch"));
        if (started == null) {
            WatchServer.answer(System.in, new FileOutputStream(FileDescriptor.out), watched);
            return 0;
        }
        System.out.println("listening on " + Converters.format(started.address()));
        System.out.flush();
        // Until a signal comes.
        new CountDownLatch(1).await();
        return 0;
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private WatchServer start(@Nullable WatchToken shown, WatchServer.Watched watched) {
        try {
            return WatchServer.start(listen, shown, watched);
        } catch (IOException e) {
            watched.source().close();
            throw UserError.failed(String.valueOf(e.getMessage()));
        }
    }

    private List<VolumeDisclosure> volumes() throws IOException {
        List<VolumeDisclosure> all = new ArrayList<>();
        for (Map.Entry<String, Path> one : volumes.entrySet()) {
            String role = one.getKey();
            if (!VolumeFolders.ROLES.contains(role) && !role.equals(MAILBOXES)) {
                throw UserError.usage("--volume " + role + "=" + one.getValue()
                        + ": a role is log, queue, tracking or mailboxes");
            }
            all.add(TargetOptions.counted(
                    "--volume " + role + "=" + one.getValue(), role, one.getValue()));
        }
        return all;
    }
}
