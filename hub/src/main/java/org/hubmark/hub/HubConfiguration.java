package org.hubmark.hub;

import org.hubmark.core.Durability;
import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.InstantSource;

/**
 * Configuration of a hub.
 *
 * @param listen where the receiver listens; port 0 picks a free one
 * @param metrics where metrics, health, histograms and settings are served, or null for nowhere
 * @param volumes where log, queue and tracking lie
 * @param durability what a 250 promises
 * @param checkpointDepthBytes how much the log holds before its oldest part moves to the queue
 *     database
 * @param intake what takes received mail
 * @param delivery where queued mail goes
 * @param settings the rest; each key has to be one that some part of the hub reads
 * @param clock tells when mail was received and is due
 * @param existingOnly whether the queue has to be there, rather than be made where there is none
 */
public record HubConfiguration(
        InetSocketAddress listen,
        @Nullable InetSocketAddress metrics,
        VolumeFolders volumes,
        Durability durability,
        long checkpointDepthBytes,
        IntakeKind intake,
        DeliverySpec delivery,
        Settings settings,
        InstantSource clock,
        boolean existingOnly) {
    /** Makes a queue where there is none. */
    public HubConfiguration(
            InetSocketAddress listen,
            @Nullable InetSocketAddress metrics,
            VolumeFolders volumes,
            Durability durability,
            long checkpointDepthBytes,
            IntakeKind intake,
            DeliverySpec delivery,
            Settings settings,
            InstantSource clock) {
        this(
                listen,
                metrics,
                volumes,
                durability,
                checkpointDepthBytes,
                intake,
                delivery,
                settings,
                clock,
                false);
    }
}
