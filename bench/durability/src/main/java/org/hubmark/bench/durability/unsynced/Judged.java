package org.hubmark.bench.durability.unsynced;

import java.util.List;

/**
 * What was on the device of an acknowledged message when its 250 was read.
 *
 * @param isKeptByJournal where only a name was not on the device: whether ext4 and XFS keep it
 *     nevertheless, by the flush of the file itself
 * @param files that held its octets at that moment
 * @param reason in words, of anything but {@link State#SYNCED}
 */
public record Judged(
        SentMessage message,
        State state,
        boolean isKeptByJournal,
        List<String> files,
        String reason) {
    /** What was there. */
    public enum State {
        /** All octets, and names that lead to them. */
        SYNCED("synced"),
        OCTETS_UNSYNCED("octets unsynced"),
        /** All octets, but a name that leads to them was not. */
        NAME_UNSYNCED("name unsynced"),
        /** The octets were not found as they were sent. */
        UNKNOWN("unknown");

        private final String words;

        State(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** Copies. */
    public Judged {
        files = List.copyOf(files);
    }
}
