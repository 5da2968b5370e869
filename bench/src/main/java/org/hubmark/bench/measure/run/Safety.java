package org.hubmark.bench.measure.run;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

/** Says whether acknowledged mail can be lost when the power fails. */
public final class Safety {
    private Safety() {}

    /** {@return why what is acknowledged under that class can be lost, or null if it can't} */
    public static @Nullable String unsafeReason(Durability durability) {
        return durability.toString().equals("synced")
                ? null
                : "durability " + durability + ": a 250 is given before the message is synced";
    }
}
