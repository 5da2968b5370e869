package org.hubmark.schedules;

import org.hubmark.hub.IntakeSchedules;
import org.hubmark.hub.delivery.DispatcherSchedules;
import org.hubmark.queue.StoreSchedules;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** All scenarios, by the names that commands and files of schedules know them by. */
final class Meetings {
    static final String PLANTED = "lost-update";

    private static final Map<String, Supplier<Meeting>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("store-close", () -> StoreSchedules::close);
        ALL.put("store-lane", () -> StoreSchedules::lane);
        ALL.put("store-move", () -> StoreSchedules::move);
        ALL.put("store-reclaim", () -> StoreSchedules::reclaim);
        ALL.put("store-copy", () -> StoreSchedules::copy);
        ALL.put("store-dead-letters", () -> StoreSchedules::deadLetters);
        ALL.put("store-operator", () -> StoreSchedules::operator);
        ALL.put("store-failure", () -> StoreSchedules::failure);
        ALL.put("store-power", () -> StoreSchedules::power);
        ALL.put("hub-stop", () -> DispatcherSchedules::stop);
        ALL.put("hub-retry", () -> DispatcherSchedules::retry);
        ALL.put("hub-intake", () -> IntakeSchedules::drain);
    }

    private Meetings() {}

    /** {@return the names of those that hold} */
    static Iterable<String> names() {
        return ALL.keySet();
    }

    /** {@return the scenario of a name} */
    static Meeting of(String name) {
        if (name.equals(PLANTED)) {
            return new LostUpdate();
        }
        Supplier<Meeting> found = ALL.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "no scenario is called " + name + "; there are " + ALL.keySet());
        }
        return found.get();
    }
}
