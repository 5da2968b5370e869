package org.hubmark.pulsar;

import org.hubmark.core.Settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a queue on Pulsar is told.
 *
 * @param pendingMax messages sent and not yet acknowledged by the cluster
 * @param pendingBytesMax their octets, and those of messages still being received
 * @param sendTimeout how long the cluster may take
 * @param leasedBytesMax octets of the messages being delivered
 * @param receiveMax messages that are fetched ahead
 * @param hubNumber what tells this hub's queue ids from others'; -1 for a number by chance
 * @param tokenFile holds the token for the cluster; empty for none
 */
record PulsarSettings(
        int pendingMax,
        long pendingBytesMax,
        Duration sendTimeout,
        long leasedBytesMax,
        int receiveMax,
        int hubNumber,
        Optional<Path> tokenFile) {
    static PulsarSettings read(Settings settings) {
        int pendingMax = settings.count(
                "pulsar.pending-max",
                1_000,
                1,
                1_000_000,
                "Messages sent to the cluster and not yet acknowledged by it; with more the peer gets"
                        + " 451.");
        long pendingBytesMax = settings.bytes(
                "pulsar.pending-bytes-max",
                96_000_000,
                "Octets of messages sent to the cluster and not yet acknowledged, and of the parts of"
                        + " large ones that are still being received, a large one twice while it is put"
                        + " together; with more the peer gets 452.");
        Duration sendTimeout = settings.duration(
                "pulsar.send-timeout",
                Duration.ofSeconds(30),
                "How long the cluster may take to acknowledge a message; then the peer gets 451.");
        long leasedBytesMax = settings.bytes(
                "pulsar.leased-bytes-max",
                32_000_000,
                "Octets of the messages that are being delivered, all of them in memory; with more"
                        + " none is taken on.");
        int receiveMax = settings.count(
                "pulsar.receive-max",
                20,
                1,
                10_000,
                "Messages that are fetched ahead of delivery; other hubs don't get them meanwhile.");
        int hubNumber = settings.count(
                "pulsar.hub-number",
                -1,
                -1,
                QueueIds.HUBS_MAX - 1,
                "Tells the queue ids of this hub from those of others that share the queue; -1 takes"
                        + " a number by chance at each start.");
        String tokenFile = settings.text(
                "pulsar.token-file",
                "",
                "File with the token that authenticates the hub to the cluster; empty for none.");
        return new PulsarSettings(
                pendingMax,
                pendingBytesMax,
                sendTimeout,
                leasedBytesMax,
                receiveMax,
                hubNumber,
                tokenFile.isEmpty() ? Optional.empty() : Optional.of(Path.of(tokenFile)));
    }
}
