package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The disks of one machine, {@code live-0} and so on, and what cuts have left of them: {@code
 * crash-N-0} and so on, which may be written and cut in their turn, and {@code kept-N-0}, the same
 * before anything was written. All disks of a machine lose their power at once, each in its own way. One
 * thread.
 *
 * <p>Told what to do in lines of words: {@code cut FROM N SEED} (FROM is {@code live} or {@code
 * crash-M}); {@code arm FROM N SEED COUNT}, a cut as soon as so many writes and flushes more were
 * done; {@code drop N}; {@code ignore-flushes}.
 */
final class RecordedDevices {
    static final String LIVE = "live";

    private final int count;
    private final Map<String, RecordedDisk> disks = new HashMap<>();
    private final Map<String, Long> cutNanos = new HashMap<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<Armed> armed = new ArrayList<>();

    /**
     * A cut that was.
     *
     * @param flushedWrites to the disks of the machine before it
     */
    private record Cut(String number, String from, long flushedWrites) {}

    /** A cut that is going to be. */
    private static final class Armed {
        private final String from;
        private final String number;
        private final long seed;
        private long left;

        Armed(String from, String number, long seed, long left) {
            this.from = from;
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
        if (armed.isEmpty()) {
            return;
        }
        String machine = name.substring(0, name.lastIndexOf('-'));
        for (Iterator<Armed> all = armed.iterator(); all.hasNext(); ) {
            Armed one = all.next();
            if (one.from.equals(machine) && --one.left == 0) {
                all.remove();
                cut(one.from, one.number, one.seed);
            }
        }
    }

    /** {@return whether the line could be done} */
    boolean control(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0] + "/" + words.length) {
            case "cut/4" -> {
                armed.removeIf(one -> one.number.equals(words[2]));
                yield cut(words[1], words[2], Long.parseLong(words[3]));
            }
            case "arm/5" ->
                armed.add(new Armed(
                        words[1], words[2], Long.parseLong(words[3]), Long.parseLong(words[4])));
            case "drop/2" -> {
                for (int i = 0; i < count; i++) {
                    disks.remove("crash-" + words[1] + "-" + i);
                    disks.remove("kept-" + words[1] + "-" + i);
                }
                yield true;
            }
            case "ignore-flushes/1" -> {
                for (int i = 0; i < count; i++) {
                    disk(LIVE, i).ignoreFlushes();
                }
                yield true;
            }
            default -> false;
        };
    }

    /**
     * {@return a line for each thing that is known} {@code cut-N NANOS}: when, by nanoTime; {@code
     * unflushed-N COUNT}: writes that had not been flushed at a cut, with those to the same disks since.
     */
    String status() {
        StringBuilder text = new StringBuilder();
        cutNanos.forEach((number, nanos) -> text.append("cut-" + number + " " + nanos + "\n"));
        for (Cut cut : cuts) {
            if (has(cut.from + "-0")) {
                long unflushed = writes(cut.from) - cut.flushedWrites;
                text.append("unflushed-" + cut.number + " " + unflushed + "\n");
            }
        }
        return text.toString();
    }

    private boolean cut(String from, String number, long seed) {
        if (!has(from + "-0")) {
            return false;
        }
        // Before the copies are made: whoever was told something later may lose it.
        cutNanos.put(number, System.nanoTime());
        Random seeds = Seeds.random(seed);
        long flushedWrites = writes(from);
        for (int i = 0; i < count; i++) {
            flushedWrites -= disk(from, i).unflushed();
            keep(number, i, disk(from, i).cut(seeds.nextLong()));
            if (disk(from, i).ignoresFlushes()) {
                // It lies after the cut as it did before.
                disk("crash-" + number, i).ignoreFlushes();
            }
        }
        cuts.add(new Cut(number, from, flushedWrites));
        return true;
    }

    private long writes(String machine) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += disk(machine, i).writes();
        }
        return sum;
    }

    private void keep(String number, int index, BlockImage left) {
        disks.put("kept-" + number + "-" + index, new RecordedDisk(left.copy()));
        disks.put("crash-" + number + "-" + index, new RecordedDisk(left));
    }

    private RecordedDisk disk(String machine, int index) {
        RecordedDisk disk = disks.get(machine + "-" + index);
        if (disk == null) {
            throw new IllegalStateException("there is no " + machine + "-" + index);
        }
        return disk;
    }
}
