package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.OneProcess;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.hub.HubClient;
import org.hubmark.bench.measure.hub.HubSpec;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.measure.watch.HubOrder;
import org.hubmark.bench.measure.watch.StartedHub;
import org.hubmark.bench.measure.watch.WatchServer;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Safety;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Starts hubs on this machine for drivers elsewhere, each on fresh volumes in folders that were named
 * here, and counts what each uses. A driver chooses what a run chooses, and nothing else: no command, no
 * file and no address. One thread.
 */
public final class HubStarter implements WatchServer.Hubs, MachineSource {
    /** Mail is thrown away or kept, and never sent on or written to a folder. */
    private static final List<String> DELIVERIES = List.of("discard", "hold");

    /** Files, addresses, and who may send: what is said here. */
    private static final List<String> OWN_SETTINGS =
            List.of("admin.", "delivery.", "smtp.tls", "smtp.relay-from", "smtp.accept-domains");

    private final DataFolders folders;
    private final String listen;
    private final String senders;
    private final CycleSource cycles;
    private final List<String> devices;
    private final Path log;
    private final LocalHubHost host;
    private MachineSource machine;
    private @Nullable MeasuredHub running;

    /**
     * Prepares.
     *
     * @param program whose hubs are started
     * @param folders where their volumes are made, claimed; closed with this
     * @param listen the address that they get, HOST:0
     * @param senders networks whose clients may send, as {@code serve --relay-from} takes them
     * @param cycles stays the caller's, who closes it after this
     * @param devices whose counters are wanted, by the kernel's names
     */
    public HubStarter(
            Program program,
            DataFolders folders,
            String listen,
            String senders,
            CycleSource cycles,
            List<String> devices)
            throws IOException {
        this.folders = folders;
        this.listen = listen;
        this.senders = senders;
        this.cycles = cycles;
        this.devices = List.copyOf(devices);
        this.log = Files.createTempDirectory("hubmark-watch-");
        this.host = new LocalHubHost(program, log, new Progress(System.err, true), () -> {});
        this.machine = new LocalMachine(null, cycles, devices);
    }

    @Override
    public StartedHub start(HubOrder order) throws IOException, InterruptedException {
        check(order);
        stop();
        HubSpec spec = new HubSpec(
                        order.deliver(),
                        order.durability(),
                        order.checkpointDepthBytes(),
                        order.stores(),
                        order.settings())
                .on(listen, Map.of("smtp.relay-from", senders));
        HubRequest request = new HubRequest(folders, spec, Map.of());
        MeasuredHub hub = host.running(request);
        running = hub;
        Long process = hub.processId();
        machine =
                new LocalMachine(process == null ? null : new OneProcess(process), cycles, devices);
        Conditions known = order.stores()
                ? Conditions.UNKNOWN.with(Safety.of(order.durability()))
                : Conditions.UNKNOWN;
        return new StartedHub(
                hub.address().getHostString() + ":" + hub.address().getPort(),
                host.complete(known, request),
                host.volumes(),
                hub.client().settings());
    }

    private static void check(HubOrder order) {
        if (!DELIVERIES.contains(order.deliver())) {
            throw UserError.usage("a hub that is started from elsewhere delivers to "
                    + String.join(" or ", DELIVERIES) + " only");
        }
        for (String key : order.settings().keySet()) {
            if (!key.matches("[a-z0-9.-]+") || OWN_SETTINGS.stream().anyMatch(key::startsWith)) {
                throw UserError.usage(
                        "setting " + key + " is not for a hub that is started from elsewhere");
            }
        }
    }

    @Override
    public void stop() throws InterruptedException {
        running = null;
        host.stop();
    }

    @Override
    public @Nullable String death() throws InterruptedException {
        return host.awaitDeath();
    }

    @Override
    public @Nullable HubClient client() {
        return running == null ? null : running.client();
    }

    @Override
    public MachineReading read() throws IOException {
        return machine.read();
    }

    @Override
    public MachineReading readAll() throws IOException {
        return machine.readAll();
    }

    /** Kills the hub if it still runs, and removes what was made. */
    @Override
    public void close() {
        try {
            host.close();
            folders.close();
            Folders.delete(log);
        } catch (IOException e) {
            throw UserError.failed(
                    "the files of the last hub can't be removed (" + e.getMessage() + ")");
        }
    }
}
