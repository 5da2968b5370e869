package org.hubmark.hub.audit;

import java.util.Locale;

/**
 * Share of the messages that are compared with the sent messages when they are delivered. The queue
 * id alone says it, so that driver and hub choose the same ones without a word between them, and
 * two messages of one id are both chosen or both not.
 */
public enum AuditShare {
    /** None. */
    OFF,
    /** One in {@link #ONE_IN}, spread evenly. */
    SAMPLED,
    /** Each. */
    ALL;

    /** A sample is for what happens often; so few that reading their contents once more is no load. */
    public static final int ONE_IN = 128;

    /** {@return whether the message with a queue id of that value is compared} */
    public boolean takes(long id) {
        return switch (this) {
            case OFF -> false;
            case SAMPLED -> (mix(id) & (ONE_IN - 1)) == 0;
            case ALL -> true;
        };
    }

    /** The finalizer of SplitMix64: every bit of the input changes half of the output. */
    private static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    /**
     * Reads {@code sampled}, {@code all} or {@code off}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    public static AuditShare parse(String text) {
        for (AuditShare share : values()) {
            if (share.toString().equals(text)) {
                return share;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not sampled, all or off");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
