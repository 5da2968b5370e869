package org.hubmark.hub.delivery;

import org.hubmark.core.Lease;
import org.hubmark.schedules.PutBack;
import org.hubmark.schedules.Scenario;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/** Races of the dispatcher, with the commit that mended each. */
public final class DispatcherMutations {
    private static final Set<ActiveWindow> CLOSED = Collections.newSetFromMap(new WeakHashMap<>());

    private DispatcherMutations() {}

    /** {@return the races} */
    public static Stream<PutBack> all() {
        // 1cb040c6
        return Stream.of(new PutBack("last-lot-kept", Scenario.HUB_STOP, Dispatcher.class)
                .with(ActiveWindow::close, DispatcherMutations::closeOnce));
    }

    /** What the dispatcher adds after the window was closed stays there. */
    static List<Lease> closeOnce(ActiveWindow window) {
        return CLOSED.add(window) ? window.close() : List.of();
    }
}
