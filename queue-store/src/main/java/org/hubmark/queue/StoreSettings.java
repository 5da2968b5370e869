package org.hubmark.queue;

import org.hubmark.core.Settings;

/**
 * Settings of a store.
 *
 * @param log of its log
 * @param acceptDamage whether a start goes on behind records that can't be had any more
 */
record StoreSettings(LogSettings log, boolean acceptDamage) {
    static StoreSettings read(Settings settings, LogSettings log) {
        return new StoreSettings(
                log,
                settings.flag(
                        "store.accept-damage",
                        false,
                        "Start although synced records of the log are damaged. Their contents are"
                                + " lost; the hub's log names the records. Set this for one start"
                                + " after such damage only."));
    }
}
