package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.DeliveryEnd;
import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.hub.HubServer;
import org.hubmark.bench.hub.Installation;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs one hub at a time, each on fresh volumes. One thread. */
final class HubHost implements AutoCloseable {
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
    private @Nullable MeasuredHub measured;
    private @Nullable VolumeFolders folders;
    private HubVolumes volumes = new HubVolumes(List.of(), List.of(), List.of(), null);
    private Map<String, Object> settings = Map.of();

    HubHost(Program program, Path folder, Progress progress, Runnable beforeKill) {
        this.program = program;
        this.log = folder.resolve(LOG);
        this.audited = folder.resolve(AUDITED);
        this.progress = progress;
        this.beforeKill = beforeKill;
    }

    /** {@return a hub as asked for: the one that runs, if it is such a one} */
    MeasuredHub running(HubRequest wanted) throws IOException, InterruptedException {
        MeasuredHub known = measured;
        if (server != null && known != null && wanted.equals(request)) {
            return known;
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
        MeasuredHub hub = new MeasuredHub(
                started.address(), new HubClient(started.metricsAddress()), started.processId());
        measured = hub;
        settings = Setting.typed(hub.client().settings());
        return hub;
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

    /** {@return where messages of the hub that was started last are compared; null where they are not} */
    @Nullable
    DeliveryEnd end() {
        HubRequest known = request;
        VolumeFolders lies = folders;
        return known == null || lies == null ? null : known.spec().end(lies, audited);
    }

    /** {@return conditions, with what the volumes of the last hub tell of them} */
    Conditions complete(Conditions known, HubRequest hub) {
        return volumes.complete(known, hub);
    }

    /** {@return of the last hub, before it wrote anything; empty when there was none} */
    List<VolumeDisclosure> volumes() {
        return volumes.volumes();
    }

    /** {@return what the last hub itself says is in force} */
    Map<String, Object> settings() {
        return settings;
    }

    /** {@return what to say if the hub has ended by itself; null while it runs or when there is none} */
    @Nullable
    String death() {
        HubServer hub = server;
        return hub == null ? null : hub.death();
    }

    /** {@return the same, after waiting a little for a hub that no longer answers} */
    @Nullable
    String awaitDeath() throws InterruptedException {
        HubServer hub = server;
        return hub == null ? null : hub.awaitDeath();
    }

    /** Ends it by SIGTERM, which drains. */
    void stop() throws InterruptedException {
        HubServer hub = server;
        if (hub != null) {
            hub.stop();
            server = null;
        }
    }

    /** Kills it if it still runs. */
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
