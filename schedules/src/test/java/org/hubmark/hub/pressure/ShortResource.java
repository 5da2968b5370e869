package org.hubmark.hub.pressure;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A resource of which a scenario says how much is used. */
public final class ShortResource {
    private final AtomicLong used = new AtomicLong();

    /** {@return back pressure that watches it} */
    public BackPressure watch(java.util.function.Consumer<BackPressure.Change> log) {
        BackPressure pressure = new BackPressure(log);
        pressure.watch(
                List.of(new WatchedResource(
                        "short",
                        "a resource",
                        "%",
                        "it is short",
                        new WatchedResource.Thresholds(50, 60, 70),
                        used::get)),
                System.nanoTime());
        return pressure;
    }

    /** Uses so many percent of it from now on. */
    public void use(long percent) {
        used.set(percent);
    }
}
