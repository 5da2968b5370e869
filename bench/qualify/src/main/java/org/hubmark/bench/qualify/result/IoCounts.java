package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Repeat;

import java.util.EnumMap;
import java.util.Map;

/**
 * Counters of one database, at a moment or over a time.
 *
 * @param counts an entry for each counter that is not 0
 */
public record IoCounts(Map<IoCounter, Long> counts) {
    /** Nothing was done. */
    public static final IoCounts NONE = new IoCounts(Map.of());

    /** Takes a copy. */
    public IoCounts {
        counts = Map.copyOf(counts);
    }

    /** {@return one of them} */
    public long get(IoCounter counter) {
        return counts.getOrDefault(counter, 0L);
    }

    /** {@return reads and writes of pages by transactions} */
    public long databaseIo() {
        return get(IoCounter.DB_READS) + get(IoCounter.DB_WRITES);
    }

    /** {@return how far they grew since then} */
    public IoCounts since(IoCounts earlier) {
        return combined(earlier, -1);
    }

    /** {@return both together} */
    public IoCounts plus(IoCounts other) {
        return combined(other, 1);
    }

    /** {@return all of them, as files have them} */
    public Repeat.Builder counted() {
        Repeat.Builder counted = Repeat.counted();
        for (IoCounter counter : IoCounter.values()) {
            counted.count(counter.counter(), get(counter));
        }
        return counted;
    }

    private IoCounts combined(IoCounts other, long sign) {
        Map<IoCounter, Long> all = new EnumMap<>(IoCounter.class);
        for (IoCounter counter : IoCounter.values()) {
            long value = get(counter) + sign * other.get(counter);
            if (value != 0) {
                all.put(counter, value);
            }
        }
        return new IoCounts(all);
    }
}
