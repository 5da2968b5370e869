package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.hub.DeliveryEnd;
import org.hubmark.bench.measure.hub.HubClient;
import org.hubmark.bench.measure.hub.HubJvm;
import org.hubmark.bench.measure.hub.HubServer;
import org.hubmark.bench.measure.hub.Installation;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.results.Conditions;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs hubs on this machine. One thread. */
final class LocalHubHost implements HubHost {
    /** What the hub says on standard error; removed when that is nothing. */
    private static final String LOG = "server.log";

    /** What the hub says of each audited message that it delivers; removed with the hub. */
    private static final String AUDITED = "audited.txt";

    private final Program program;
    private final Path log;
    private final Path audited;
    private final Progress progress;
    private final Runnable beforeKill;
    private @Nullable HubRequest request;
    private @Nullable HubServer server;
    private @Nullable VolumeFolders folders;
    private HubVolumes volumes = new HubVolumes(List.of(), List.of(), List.of(), null);
    private Map<String, Object> settings = Map.of();

    LocalHubHost(Program program, Path folder, Progress progress, Runnable beforeKill) {
        this.program = program;
        this.log = folder.resolve(LOG);
        this.audited = folder.resolve(AUDITED);
        this.progress = progress;
        this.beforeKill = beforeKill;
    }

    @Override
    public MeasuredHub running(HubRequest wanted) throws IOException, InterruptedException {
        HubServer known = server;
        if (known != null && wanted.equals(request)) {
            return hub(known);
        }
        stop();
        // It would grow by what each hub delivers.
        Files.deleteIfExists(audited);
        VolumeFolders fresh = wanted.folders().fresh();
        wanted.folders().leftovers().forEach(progress::note);
        progress.phase("look at the volumes", HubVolumes.time(wanted));
        volumes = HubVolumes.of(wanted);
        progress.phase("start", Duration.ZERO);
        HubServer started = start(wanted, wanted.spec().measured(fresh, audited));
        server = started;
        request = wanted;
        folders = fresh;
        MeasuredHub hub = hub(started);
        settings = Setting.typed(hub.client().settings());
        return hub;
    }

    private static MeasuredHub hub(HubServer server) {
        return new MeasuredHub(
                server.address(), new HubClient(server.metricsAddress()), server.processId());
    }

    private HubServer start(HubRequest wanted, List<String> arguments)
            throws IOException, InterruptedException {
        Path installation = wanted.installation();
        try {
            return installation == null
                    ? program.starter()
                            .start(program, arguments, wanted.environment(), log, beforeKill)
                    : Installation.start(
                            installation, arguments, wanted.environment(), log, beforeKill);
        } catch (UserError e) {
            if (HubJvm.words(log).size() == 1) {
                // The error says it all.
                Files.delete(log);
            }
            throw e;
        }
    }

    @Override
    public @Nullable DeliveryEnd end() {
        HubRequest known = request;
        VolumeFolders lies = folders;
        return known == null || lies == null ? null : known.spec().end(lies, audited);
    }

    @Override
    public Conditions complete(Conditions known, HubRequest hub) {
        return FoundConditions.complete(known, hub, volumes);
    }

    @Override
    public List<VolumeDisclosure> volumes() {
        return volumes.volumes();
    }

    @Override
    public Map<String, Object> settings() {
        return settings;
    }

    @Override
    public @Nullable String death() {
        HubServer hub = server;
        return hub == null ? null : hub.death();
    }

    @Override
    public @Nullable String awaitDeath() throws InterruptedException {
        HubServer hub = server;
        return hub == null ? null : hub.awaitDeath();
    }

    @Override
    public void stop() throws InterruptedException {
        HubServer hub = server;
        if (hub != null) {
            hub.stop();
            server = null;
        }
    }

    @Override
    public void close() throws IOException {
        HubServer hub = server;
        if (hub != null) {
            hub.close();
            server = null;
        }
        Files.deleteIfExists(audited);
        if (HubJvm.words(log).isEmpty()) {
            Files.deleteIfExists(log);
        }
    }
}
