package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.hub.HubServer;
import org.hubmark.bench.hub.Installation;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.hub.Setting;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.document.Conditions;
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
    private VolumeSource.@Nullable Ready ready;
    private @Nullable HubServer server;
    /** Of the hub that was started last, as what follows. */
    private @Nullable HubRequest request;

    private HubVolumes volumes = new HubVolumes(List.of(), List.of(), List.of());
    private Map<String, Object> settings = Map.of();

    HubHost(Program program, Path folder, Progress progress, Runnable beforeKill) {
        this.program = program;
        this.log = folder.resolve(LOG);
        this.audited = folder.resolve(AUDITED);
        this.progress = progress;
        this.beforeKill = beforeKill;
    }

    /**
     * {@return the hub of a scenario, on volumes that are ready until they are {@linkplain #release given
     * back}; null where another server is measured}
     */
    @Nullable
    HubRequest ready(ScenarioRequest scenario) throws IOException {
        VolumeSource source = scenario.volumes();
        HubRequest planned = scenario.hub();
        if (source == null || planned == null) {
            return planned;
        }
        VolumeSource.Ready now = ready == null ? source.ready(planned) : ready;
        ready = now;
        return now.hub();
    }

    /** Gives the volumes back that were made ready; a hub on them is ended first. */
    void release() throws IOException, InterruptedException {
        VolumeSource.Ready held = ready;
        if (held != null) {
            stop();
            ready = null;
            held.close();
        }
    }

    /** {@return a hub as asked for: the one that runs, if it is such a one} */
    HubServer running(HubRequest wanted) throws IOException, InterruptedException {
        HubServer known = server;
        if (known != null && wanted.equals(request)) {
            return known;
        }
        stop();
        // It would grow by what each hub delivers.
        Files.deleteIfExists(audited);
        VolumeFolders fresh = wanted.folders().fresh();
        wanted.folders().leftovers().forEach(progress::note);
        progress.phase("look at the volumes", Duration.ZERO);
        volumes = HubVolumes.of(wanted);
        progress.phase("start", Duration.ZERO);
        HubServer started = start(wanted, wanted.spec().measured(fresh, audited));
        server = started;
        request = wanted;
        settings = Setting.typed(new HubClient(started.metricsAddress()).settings());
        return started;
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

    /** {@return what a hub has delivered of the audited messages} */
    Path audited() {
        return audited;
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

    /** {@return what to say if the hub has ended by itself, after waiting a little for one that no longer answers} */
    @Nullable
    String awaitDeath() throws InterruptedException {
        return server == null ? null : server.awaitDeath();
    }

    /** Ends it by SIGTERM, which drains. */
    void stop() throws InterruptedException {
        if (server != null) {
            server.stop();
            server = null;
        }
    }

    /** Kills it if it still runs, and gives the volumes back that were made ready. */
    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
            server = null;
        }
        if (ready != null) {
            ready.close();
            ready = null;
        }
        Files.deleteIfExists(audited);
        if (HubJvm.words(log).isEmpty()) {
            Files.deleteIfExists(log);
        }
    }
}
