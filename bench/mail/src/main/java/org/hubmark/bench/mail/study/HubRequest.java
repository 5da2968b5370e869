package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Map;

/**
 * A hub to start. Scenarios that follow each other with an equal request share one process.
 *
 * @param folders where its volumes are made before it starts
 * @param environment added to that of the process: an emulated device, say
 * @param installation or checkout whose hub it is; null for this program's own
 */
public record HubRequest(
        DataFolders folders,
        HubSpec spec,
        Map<String, String> environment,
        @Nullable Path installation) {
    /** Copies. */
    public HubRequest {
        environment = Map.copyOf(environment);
    }

    /** {@return the same of an installation or a checkout} */
    public HubRequest of(@Nullable Path other) {
        return new HubRequest(folders, spec, environment, other);
    }

    /** {@return whether it stores what it accepts} */
    boolean keepsQueue() {
        return spec.stores();
    }

    /** {@return whether it delivers nothing, so that each repeat needs an empty queue of its own} */
    boolean holds() {
        return spec.holds();
    }
}
