package org.hubmark.bench.measure.builds;

import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.OneProcess;
import org.hubmark.bench.machine.SeveralProcesses;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.hub.HubClient;
import org.hubmark.bench.measure.hub.HubSpec;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A running hub of a build, on volumes of its own that are removed with it. It is started by the
 * script of its build, with the options of the JVM that belong to that build. One thread.
 */
final class BuildHub implements AutoCloseable {
    /** Ends the hub by SIGKILL when the thread that started it ends, even if that is by SIGKILL. */
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private final Build build;
    private final Path folder;
    private final ServerProcess process;
    private final @Nullable ServerProcess nextHop;
    private final Instruments instruments;

    private BuildHub(
            Build build, Path folder, ServerProcess process, @Nullable ServerProcess nextHop) {
        this.build = build;
        this.folder = folder;
        this.process = process;
        this.nextHop = nextHop;
        this.instruments = new Instruments(
                new HubClient(process.metricsAddress()),
                new OneProcess(process.processId()),
                null,
                List.of(),
                Map.of());
    }

    /**
     * Starts one and waits until it is ready. The calling thread has to outlive it.
     *
     * @param arguments of serve, without addresses and volumes
     * @param folder made for the volumes
     * @param nextHop what it relays to on this machine; null for nothing
     */
    static BuildHub start(
            Build build, List<String> arguments, Path folder, @Nullable ServerProcess nextHop)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETPRIV)) {
            command.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "KILL"));
        }
        command.addAll(List.of(
                build.script().toString(),
                "serve",
                "--listen=127.0.0.1:0",
                "--metrics=127.0.0.1:0"));
        command.addAll(HubSpec.options(VolumeFolders.below(folder)));
        command.addAll(arguments);
        Files.createDirectory(folder);
        try {
            ServerProcess process = ServerProcess.launch(
                    "the hub",
                    command,
                    // It was built, and nothing is to be looked for while the clock runs.
                    Map.of("HUBMARK_BUILT", "1", "JAVA_HOME", System.getProperty("java.home")),
                    folder.resolve("server.log"),
                    () -> {});
            return new BuildHub(build, folder, process, nextHop);
        } catch (UserError e) {
            Folders.delete(folder);
            throw e.of(build.name());
        } catch (IOException | InterruptedException e) {
            Folders.delete(folder);
            throw e;
        }
    }

    Build build() {
        return build;
    }

    Instruments instruments() {
        return instruments;
    }

    /** {@return this machine, with all that is measured on it} */
    LocalMachine machine() {
        return new LocalMachine(
                new SeveralProcesses(
                        nextHop == null
                                ? Set.of(process.processId())
                                : Set.of(process.processId(), nextHop.processId())),
                null,
                List.of());
    }

    OneProcess cpu() {
        return new OneProcess(process.processId());
    }

    InetSocketAddress address() {
        return process.address();
    }

    /** {@return what to say if the hub has ended by itself; null while it runs} It waits a little. */
    @Nullable
    String awaitDeath() throws InterruptedException {
        String death = process.awaitDeath();
        return death == null ? null : build.name() + ": " + death;
    }

    /** Kills it, whatever it still has to do, and removes its volumes. */
    @Override
    public void close() throws IOException {
        process.close();
        Folders.delete(folder);
    }
}
