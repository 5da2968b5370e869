package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * The disks of one machine, {@code live-0} and so on, and what cuts have left of them: {@code
 * crash-N-0} and so on, which may be written. All disks of a machine lose their power at once, each in its
 * own way. One thread.
 *
 * <p>Told what to do in lines of words: {@code cut N SEED}; {@code drop N}; {@code ignore-flushes}.
 */
final class VolatileDisks {
    static final String LIVE = "live";

    private final int count;
    private final Map<String, VolatileDisk> disks = new HashMap<>();

    VolatileDisks(int count, long bytes) {
        this.count = count;
        for (int i = 0; i < count; i++) {
            disks.put(LIVE + "-" + i, new VolatileDisk(bytes));
        }
    }

    boolean has(String name) {
        return disks.containsKey(name);
    }

    /** {@return a disk, or null if it was dropped} */
    @Nullable
    VolatileDisk disk(String name) {
        return disks.get(name);
    }

    /** {@return whether the line could be done} */
    boolean control(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0] + "/" + words.length) {
            case "cut/3" -> {
                cut(words[1], Long.parseLong(words[2]));
                yield true;
            }
            case "drop/2" -> {
                for (int i = 0; i < count; i++) {
                    disks.remove("crash-" + words[1] + "-" + i);
                }
                yield true;
            }
            case "ignore-flushes/1" -> {
                for (int i = 0; i < count; i++) {
                    live(i).ignoreFlushes();
                }
                yield true;
            }
            default -> false;
        };
    }

    private void cut(String number, long seed) {
        Random seeds = Seeds.random(seed);
        for (int i = 0; i < count; i++) {
            BlockImage left = live(i).cut(seeds.nextLong());
            disks.put("crash-" + number + "-" + i, new VolatileDisk(left));
        }
    }

    private VolatileDisk live(int index) {
        return Objects.requireNonNull(disks.get(LIVE + "-" + index));
    }
}
