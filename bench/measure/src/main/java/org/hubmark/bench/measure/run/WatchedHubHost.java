package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.hub.DeliveryEnd;
import org.hubmark.bench.measure.watch.StartedHub;
import org.hubmark.bench.measure.watch.WatchedHubs;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Has hubs run on the machine of a watch. One thread. */
final class WatchedHubHost implements HubHost {
    private final WatchedHubs hubs;
    private final Progress progress;
    private @Nullable HubRequest request;
    private @Nullable MeasuredHub running;
    private Conditions found = Conditions.UNKNOWN;
    private List<VolumeDisclosure> volumes = List.of();
    private Map<String, Object> settings = Map.of();

    WatchedHubHost(WatchedHubs hubs, Progress progress) {
        this.hubs = hubs;
        this.progress = progress;
    }

    @Override
    public MeasuredHub running(HubRequest wanted) throws IOException {
        MeasuredHub known = running;
        if (known != null && wanted.equals(request)) {
            return known;
        }
        stop();
        progress.phase("start", Duration.ZERO);
        StartedHub started = hubs.start(wanted.spec());
        MeasuredHub hub = new MeasuredHub(address(started.address()), hubs.client(), null);
        running = hub;
        request = wanted;
        found = started.found();
        volumes = started.volumes();
        settings = Setting.typed(started.settings());
        return hub;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public Conditions complete(Conditions known, HubRequest hub) {
        Conditions conditions = known.or(Condition.LAYOUT, found.get(Condition.LAYOUT))
                .or(Condition.DEVICE_PROFILE, found.get(Condition.DEVICE_PROFILE))
                .with(Condition.FLUSH, found.get(Condition.FLUSH));
        return hub.keepsQueue() ? conditions.with(found.safety()) : conditions;
    }

    @Override
    public List<VolumeDisclosure> volumes() {
        return volumes;
    }

    @Override
    public Map<String, Object> settings() {
        return settings;
    }

    /** Nobody sees there what was delivered. */
    @Override
    public @Nullable DeliveryEnd end() {
        return null;
    }

    @Override
    public @Nullable String death() {
        return running == null ? null : hubs.death();
    }

    @Override
    public @Nullable String awaitDeath() {
        return death();
    }

    @Override
    public void stop() {
        if (running != null) {
            running = null;
            hubs.stop();
        }
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (UserError e) {
            progress.note(String.valueOf(e.getMessage()));
        }
    }
}
