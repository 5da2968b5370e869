package org.hubmark.queue;

import org.hubmark.core.Settings;

import java.time.Duration;

/**
 * Settings of a store.
 *
 * @param log of its log
 * @param directFlush whether the queue volume is written past the page cache
 * @param acceptDamage whether a start goes on behind records that can't be had any more
 * @param stallTime after which a store that does not move says so
 */
record StoreSettings(
        LogSettings log, boolean directFlush, boolean acceptDamage, Duration stallTime) {
    static StoreSettings read(Settings settings, LogSettings log) {
        return new StoreSettings(
                log,
                settings.flag(
                        "store.direct-flush",
                        true,
                        "Write to the queue volume past the page cache; needs O_DIRECT."),
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
                                + " Then the log says so, and mail is refused (451 4.3.2) until it"
                                + " moves again; after ten times as long the queue fails and the"
                                + " hub ends."));
    }
}
