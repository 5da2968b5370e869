package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.hub.DeliveryEnd;
import org.hubmark.bench.results.Conditions;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Runs one hub at a time, each on fresh volumes: on this machine, or on another. One thread. */
sealed interface HubHost extends AutoCloseable permits LocalHubHost, WatchedHubHost {
    /** {@return a hub as asked for: the one that runs, if it is such a one} */
    MeasuredHub running(HubRequest wanted) throws IOException, InterruptedException;

    /** {@return conditions, with what the volumes of the last hub tell of them} */
    Conditions complete(Conditions known, HubRequest hub);

    /** {@return of the last hub, before it wrote anything; empty when there was none} */
    List<VolumeDisclosure> volumes();

    /** {@return what the last hub itself says is in force} */
    Map<String, Object> settings();

    /** {@return where messages of the hub that was started last are compared; null where they are not} */
    @Nullable
    DeliveryEnd end();

    /** {@return what to say if the hub has ended by itself; null while it runs or when there is none} */
    @Nullable
    String death();

    /** {@return the same, after waiting a little for a hub that no longer answers} */
    @Nullable
    String awaitDeath() throws InterruptedException;

    /** Ends it by SIGTERM, which drains. */
    void stop() throws InterruptedException;

    /** Kills it if it still runs. */
    @Override
    void close() throws IOException;
}
