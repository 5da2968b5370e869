package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says whether our hub slowed or refused mail in the measured time because something was short. */
final class Pressure {
    private static final String SECONDS = "hubmark_back_pressure_seconds_total";

    private Pressure() {}

    /** {@return one line for each resource that was short; none when none was, or nobody knows} */
    static List<String> notes(@Nullable HubCounters from, @Nullable HubCounters to) {
        List<String> notes = new ArrayList<>();
        for (String name : to == null ? List.<String>of() : to.labelled(SECONDS)) {
            Double seconds = HubCounters.growth(from, to, name);
            if (seconds != null && seconds > 0) {
                String resource = name.substring(name.indexOf('"') + 1, name.lastIndexOf('"'));
                notes.add(String.format(
                        Locale.ROOT,
                        "the hub was under back pressure for %.1f s because of %s, and slowed or"
                                + " refused mail",
                        seconds,
                        resource.replace('_', ' ')));
            }
        }
        return notes;
    }
}
