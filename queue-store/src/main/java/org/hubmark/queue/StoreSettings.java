package org.hubmark.queue;

import org.hubmark.core.Settings;
import org.hubmark.queue.table.DatabaseSettings;

import java.time.Duration;

/**
 * Settings of a store.
 *
 * @param log of its log
 * @param database of its database
 * @param handoffSlots changes that may wait for the committer
 * @param acceptDamage whether a start goes on behind records that can't be had any more
 * @param stallTime after which a store that does not move says so
 */
record StoreSettings(
        LogSettings log,
        DatabaseSettings database,
        int handoffSlots,
        boolean acceptDamage,
        Duration stallTime) {
    static StoreSettings read(Settings settings, LogSettings log) {
        return new StoreSettings(
                log,
                DatabaseSettings.read(settings),
                settings.count(
                        "store.handoff-slots",
                        4096,
                        1,
                        1 << 20,
                        "Changes that may wait for the committer; one more message is refused."),
                settings.flag(
                        "store.accept-damage",
                        false,
                        "Start although synced records of the log are damaged. Their contents are"
                                + " lost; the hub's log names the records. Set this for one start"
                                + " after such damage only."),
                settings.duration(
                        "store.stall-time",
                        Duration.ofSeconds(60),
                        "Time for which the queue may stand still while mail waits, at least 1s."
                                + " Then the log says what the queue waits for, and mail is refused"
                                + " (451 4.3.2) until it moves again; after ten times as long the"
                                + " queue fails and the hub ends."));
    }
}
