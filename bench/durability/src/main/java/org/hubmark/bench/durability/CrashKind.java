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
    /** A quota is exceeded (EDQUOT), then SIGKILL. */
    QUOTA(false),
    /** Writes or syncs fail with EIO, once or from then on, then SIGKILL. */
    EIO(true),
    /** The device fails everything with EIO for a time, and is read-only afterwards; then SIGKILL. */
    GONE(true),
    /** The clock is stepped back and forth by up to days, then SIGKILL. */
    CLOCK(false),
    /** The process is stopped for a time (SIGSTOP) and goes on, then SIGKILL. */
    STOP(false),
    /** No file descriptor is left for a time, then SIGKILL. */
    FDS(false),
    /** No memory is left, then SIGKILL. */
    MEMORY(false),
    /** A device answers nothing for a time; the power goes meanwhile, and afterwards. */
    HANG(true),
    /** A device acknowledged a write that is not there. */
    LOST_WRITE(true),
    /** A device did a write at another place. */
    MISDIRECTED(true),
    /** A sector can't be read. */
    UNREADABLE(true);

    private final boolean losesUnsynced;

    CrashKind(boolean losesUnsynced) {
        this.losesUnsynced = losesUnsynced;
    }

    /** {@return whether what was written and not synced may be gone afterwards} */
    boolean losesUnsynced() {
        return losesUnsynced;
    }

    /**
     * {@return whether the medium itself lies or fails} Then mail may be gone, as long as the store
     * says so.
     */
    boolean changesMedium() {
        return switch (this) {
            case FLIP, LOST_WRITE, MISDIRECTED, UNREADABLE -> true;
            case KILL, POWER, TORN, FULL, QUOTA, EIO, GONE, CLOCK, STOP -> false;
            case FDS, MEMORY, HANG -> false;
        };
    }

    /**
     * {@return whether what the medium did can look like a last write that was not finished} An
     * unreadable sector never does.
     */
    boolean resemblesTornEnd() {
        return switch (this) {
            case FLIP, LOST_WRITE, MISDIRECTED -> true;
            case UNREADABLE -> false;
            case KILL, POWER, TORN, FULL, QUOTA, EIO, GONE, CLOCK, STOP -> false;
            case FDS, MEMORY, HANG -> false;
        };
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
