package org.hubmark.bench.measure.run;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.volumes.VolumeFolders;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.hub.DeliveryEnd;
import org.hubmark.bench.measure.hub.HubClient;
import org.hubmark.bench.measure.hub.HubJvm;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs one hub at a time, each on fresh volumes. One thread. */
final class HubHost implements AutoCloseable {
    /** What the hub says on standard error; removed when that is nothing. */
    private static final String LOG = "server.log";

    /** What the hub says of each audited message that it delivers; removed at the end. */
    private static final String AUDITED = "audited.txt";

    private final Program program;
    private final Path log;
    private final Path audited;
    private final Progress progress;
    private final Interruption interruption;
    private @Nullable HubRequest request;
    private @Nullable ServerProcess process;
    private @Nullable VolumeFolders folders;
    private HubVolumes volumes = new HubVolumes(List.of(), List.of(), List.of(), null);
    private Map<String, Object> settings = Map.of();

    HubHost(Program program, Path folder, Progress progress, Interruption interruption) {
        this.program = program;
        this.log = folder.resolve(LOG);
        this.audited = folder.resolve(AUDITED);
        this.progress = progress;
        this.interruption = interruption;
    }

    /** {@return a hub as asked for: the one that runs, if it is such a one} */
    ServerProcess running(HubRequest wanted) throws IOException, InterruptedException {
        ServerProcess known = process;
        if (known != null && wanted.equals(request)) {
            return known;
        }
        stop();
        VolumeFolders fresh = wanted.folders().fresh();
        wanted.folders().leftovers().forEach(progress::note);
        progress.phase("look at the volumes", HubVolumes.time(wanted));
        volumes = HubVolumes.of(wanted);
        progress.phase("start", Duration.ZERO);
        ServerProcess started = start(wanted.spec().measured(fresh, audited), wanted.environment());
        process = started;
        request = wanted;
        folders = fresh;
        settings = typed(new HubClient(started.metricsAddress()).settings());
        return started;
    }

    private ServerProcess start(List<String> arguments, Map<String, String> environment)
            throws IOException, InterruptedException {
        try {
            return ServerProcess.start(
                    program, arguments, environment, log, interruption::awaitDone);
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

    /** {@return of the last hub, before it wrote anything; empty when there was none} */
    HubVolumes volumes() {
        return volumes;
    }

    /** {@return what the last hub itself says is in force} */
    Map<String, Object> settings() {
        return settings;
    }

    /** {@return what to say if the hub has ended by itself; null while it runs or when there is none} */
    @Nullable
    String death() {
        ServerProcess hub = process;
        return hub == null ? null : hub.death();
    }

    /** {@return the same, after waiting a little for a hub that no longer answers} */
    @Nullable
    String awaitDeath() throws InterruptedException {
        ServerProcess hub = process;
        return hub == null ? null : hub.awaitDeath();
    }

    /** Ends it by SIGTERM, which drains. */
    void stop() throws InterruptedException {
        ServerProcess hub = process;
        if (hub != null) {
            hub.stop();
            process = null;
        }
    }

    /** Kills it if it still runs. */
    @Override
    public void close() throws IOException {
        ServerProcess hub = process;
        if (hub != null) {
            hub.close();
            process = null;
        }
        Files.deleteIfExists(audited);
        if (HubJvm.words(log).isEmpty()) {
            Files.deleteIfExists(log);
        }
    }

    private static Map<String, Object> typed(Map<String, String> texts) {
        Map<String, Object> typed = new TreeMap<>();
        texts.forEach((key, text) -> typed.put(key, Setting.typed(text)));
        return typed;
    }
}
