package org.hubmark.hub.delivery;

import org.hubmark.core.Lease;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** What mutants of the dispatcher call in the place of what it calls. */
final class DispatcherMutations {
    private static final Set<ActiveWindow> CLOSED = Collections.newSetFromMap(new WeakHashMap<>());

    private DispatcherMutations() {}

    /** What the dispatcher adds after the window was closed stays there. */
    static List<Lease> closeOnce(ActiveWindow window) {
        return CLOSED.add(window) ? window.close() : List.of();
    }
}
