package org.hubmark.bench.durability;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is done to a server under load. */
public enum CrashKind {
    /** SIGKILL at a random moment. */
    KILL(false),
    /** The power goes at a random moment: a device forgets what was not flushed to it. */
    POWER(true),
    /** SIGKILL in the middle of a write, of which a part of the sectors is done. */
    TORN(false),
    /**
     * SIGKILL, then some bits of the files are changed. In the last group of messages, when nothing
     * was written after its sync, that can't be told from a write that was not finished.
     */
    FLIP(true),
    /** The volumes are full, then SIGKILL. */
    FULL(false),
    /** Writes or syncs fail with EIO, once or from then on, then SIGKILL. */
    EIO(true),
    /** The process is stopped for a time (SIGSTOP) and goes on, then SIGKILL. */
    STOP(false);

    private final boolean losesUnsynced;

    CrashKind(boolean losesUnsynced) {
        this.losesUnsynced = losesUnsynced;
    }

    /** {@return whether what was written and not synced may be gone afterwards} */
    boolean losesUnsynced() {
        return losesUnsynced;
    }

    /**
     * {@return whether the medium itself changes} Then mail may be gone, as long as the store says so, and
     * what changed can look like a last write that was not finished.
     */
    boolean changesMedium() {
        return this == FLIP;
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a kind.
     *
     * @throws IllegalArgumentException naming what there is
     */
    public static CrashKind parse(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text
                        + "' is not a kind of crash ("
                        + Arrays.stream(values())
                                .map(CrashKind::toString)
                                .collect(Collectors.joining(", "))
                        + ")"));
    }
}
