package org.hubmark.bench.durability;

import org.hubmark.bench.durability.soak.HistoryLine;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;

/**
 * Which history a soak runs next: one of the kind and class that is furthest behind its share of the
 * crashes, with the seed after the last one of that kind and class in the folder. What a folder holds
 * decides, so that a soak goes on where the last one ended. Any thread.
 */
final class SoakPlan {
    /** Seeds begin somewhere else in each folder, so that what two folders hold adds up. */
    private static final int FIRST_SEED_BITS = 36;

    /** The layout of devices follows from the last three bits of a seed. */
    private static final int LAYOUTS = 8;

    private final List<Lot> lots = new ArrayList<>();

    /** The crashes of a kind in a class. */
    private static final class Lot {
        private final CrashKind kind;
        private final Durability durability;
        private final double weight;
        private long crashes;
        private long nextSeed;

        Lot(CrashKind kind, Durability durability, double weight, long nextSeed) {
            this.kind = kind;
            this.durability = durability;
            this.weight = weight;
            this.nextSeed = nextSeed;
        }

        double done() {
            return crashes / weight;
        }
    }

    /**
     * A history to run, or some in a row.
     *
     * @param lives crashes of each
     */
    record Turn(CrashKind kind, Durability durability, long seed, int histories, int lives) {}

    /**
     * Plans.
     *
     * @param kinds that can be tested here
     * @param weighted whether classes have the weights that they have by default; else all have the same
     * @param storeFormat of the store that is crashed: what was done to another one is no share of this one's
     * @param earlier what the folder holds
     * @param random draws the first seed of a folder that holds nothing
     */
    SoakPlan(
            List<CrashKind> kinds,
            List<Durability> classes,
            boolean weighted,
            String storeFormat,
            Collection<HistoryLine> earlier,
            Random random) {
        long first = earlier.stream()
                .mapToLong(line -> line.seeds().seedFirst())
                .min()
                .orElseGet(() -> random.nextLong(1L << FIRST_SEED_BITS) * LAYOUTS);
        for (Durability durability : classes) {
            for (CrashKind kind : kinds) {
                Lot lot = new Lot(
                        kind,
                        durability,
                        weight(kind) * (weighted ? weight(durability) : 1.0),
                        first);
                for (HistoryLine line : earlier) {
                    if (line.kind().equals(kind.toString())
                            && line.durability().equals(durability.toString())) {
                        lot.nextSeed = Math.max(lot.nextSeed, line.seeds().seedLast() + 1);
                        lot.crashes += line.build().storeFormat().equals(storeFormat)
                                ? line.counts().attempts()
                                : 0;
                    }
                }
                lots.add(lot);
            }
        }
    }

    /** {@return how many of a hundred real crashes are of a kind} */
    private static int weight(CrashKind kind) {
        return switch (kind) {
            // What happens most: somebody or the kernel ends the process. Also the cheapest.
            case KILL -> 20;
            // What the promise is about, with eight layouts and six moments to meet.
            case POWER -> 24;
            // Each write or sync of the store has its own way to fail.
            case TORN -> 8;
            case EIO -> 10;
            case FULL -> 6;
            // The same paths, with another error of the system.
            case QUOTA, GONE -> 3;
            // The one kind in which most of what is changed is found only by checksums.
            case FLIP -> 6;
            // The store has few places that look at a clock, or at how long something took.
            case CLOCK, DEFERRED, STOP -> 2;
            case FDS, MEMORY -> 4;
            // A medium that fails is rare, and one history shows eight states of it.
            case HANG, LOST_WRITE, MISDIRECTED, UNREADABLE -> 3;
            // Each takes a hub on used volumes, some passes of a check and a delivery.
            case ROT, BAD_SECTOR -> 2;
            // Share nothing with the others: they have threads of their own.
            case SIMULATED -> 100;
            case ERROR -> 20;
            case NEW_STORE -> 1;
        };
    }

    /** {@return the share of a class} A loss is judged most strictly in synced, which is the default. */
    private static int weight(Durability durability) {
        return switch (durability) {
            case Durability.Synced synced -> 8;
            case Durability.Periodic periodic -> 1;
            case Durability.None none -> 1;
        };
    }

    /** {@return whether others would be disturbed by it, so that it has the machine to itself} */
    static boolean runsAlone(CrashKind kind) {
        return switch (kind) {
            // What waits for its device may hold locks of the kernel that others need.
            case HANG -> true;
            case KILL, POWER, TORN, FLIP, FULL, QUOTA, EIO, GONE, CLOCK, DEFERRED, STOP -> false;
            case FDS, MEMORY, LOST_WRITE, MISDIRECTED, UNREADABLE, ROT, BAD_SECTOR -> false;
            case SIMULATED, ERROR, NEW_STORE -> false;
        };
    }

    /**
     * {@return what comes next; null if there is none of that sort}
     *
     * @param simulated whether it is one in this process, or a real one
     * @param histories how many in a row
     */
    synchronized @Nullable Turn next(boolean simulated, int histories) {
        Lot next = null;
        for (Lot lot : lots) {
            if (lot.kind.isSimulated() == simulated && (next == null || lot.done() < next.done())) {
                next = lot;
            }
        }
        if (next == null) {
            return null;
        }
        int lives = Campaign.lives(next.kind);
        Turn turn = new Turn(next.kind, next.durability, next.nextSeed, histories, lives);
        next.nextSeed += histories;
        // Counted at once, so that those beside it take something else.
        next.crashes += (long) histories * lives;
        return turn;
    }

    /** {@return whether there is anything of that sort} */
    boolean has(boolean simulated) {
        return lots.stream().anyMatch(lot -> lot.kind.isSimulated() == simulated);
    }
}
