package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * The disks of one machine, {@code live-0} and so on, and what cuts have left of them: {@code
 * crash-N-0} and so on, which may be written, and {@code kept-N-0}, the same before anything was
 * written. All disks of a machine lose their power at once, each in its own way. One thread.
 *
 * <p>Told what to do in lines of words: {@code cut N SEED}; {@code arm N SEED COUNT}, a cut as soon as so
 * many writes and flushes more were done; {@code drop N}; {@code ignore-flushes}.
 */
final class RecordedDevices {
    static final String LIVE = "live";

    private final int count;
    private final Map<String, RecordedDisk> disks = new HashMap<>();
    private final Map<String, Long> cutNanos = new HashMap<>();
    private final List<Armed> armed = new ArrayList<>();

    /** A cut that is going to be. */
    private static final class Armed {
        private final String number;
        private final long seed;
        private long left;

        Armed(String number, long seed, long left) {
            this.number = number;
            this.seed = seed;
            this.left = left;
        }
    }

    RecordedDevices(int count, long bytes) {
        this.count = count;
        for (int i = 0; i < count; i++) {
            disks.put(LIVE + "-" + i, new RecordedDisk(bytes));
        }
    }

    boolean has(String name) {
        return disks.containsKey(name);
    }

    /** {@return a disk, or null if it was dropped} */
    @Nullable
    RecordedDisk disk(String name) {
        return disks.get(name);
    }

    /** A write or a flush of the disk was done: what waits for it is due. */
    void served(String name) {
        if (armed.isEmpty() || !name.startsWith(LIVE)) {
            return;
        }
        for (Iterator<Armed> all = armed.iterator(); all.hasNext(); ) {
            Armed one = all.next();
            if (--one.left == 0) {
                all.remove();
                cut(one.number, one.seed);
            }
        }
    }

    /** {@return whether the line could be done} */
    boolean control(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0] + "/" + words.length) {
            case "cut/3" -> {
                armed.removeIf(one -> one.number.equals(words[1]));
                cut(words[1], Long.parseLong(words[2]));
                yield true;
            }
            case "arm/4" ->
                armed.add(new Armed(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])));
            case "drop/2" -> {
                for (int i = 0; i < count; i++) {
                    disks.remove("crash-" + words[1] + "-" + i);
                    disks.remove("kept-" + words[1] + "-" + i);
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

    /** {@return a line for each cut: {@code cut-N NANOS}, when it was, by nanoTime} */
    String status() {
        StringBuilder text = new StringBuilder();
        cutNanos.forEach((number, nanos) -> text.append("cut-" + number + " " + nanos + "\n"));
        return text.toString();
    }

    private void cut(String number, long seed) {
        // Before the copies are made: whoever was told something later may lose it.
        cutNanos.put(number, System.nanoTime());
        Random seeds = Seeds.random(seed);
        for (int i = 0; i < count; i++) {
            BlockImage left = live(i).cut(seeds.nextLong());
            disks.put("kept-" + number + "-" + i, new RecordedDisk(left.copy()));
            disks.put("crash-" + number + "-" + i, new RecordedDisk(left));
        }
    }

    private RecordedDisk live(int index) {
        return Objects.requireNonNull(disks.get(LIVE + "-" + index));
    }
}
