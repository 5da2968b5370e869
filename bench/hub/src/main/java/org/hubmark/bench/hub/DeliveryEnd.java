package org.hubmark.bench.hub;

import org.hubmark.hub.VolumeFolders;

import java.nio.file.Path;

/** Place of a hub's mail at the end of its way, where it is compared with the sent mail. */
public sealed interface DeliveryEnd {
    /**
     * It is thrown away, but the hub's delivery reads it before.
     *
     * @param file to which it adds what it read; what is in it when a load begins is of no concern
     */
    record Told(Path file) implements DeliveryEnd {}

    /**
     * It stays in the queue.
     *
     * @param volumes of the hub, which has ended by the time that they are read
     */
    record Held(VolumeFolders volumes) implements DeliveryEnd {}
}
