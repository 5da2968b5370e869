package org.hubmark.bench.hub;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The syncs of the log in the measured time that accepted messages waited for, and that had about the
 * same to write.
 *
 * @param bytesMax none of them covered more octets; a power of two
 * @param syncs how many they were
 * @param writes calls that wrote what they covered
 * @param bytes that those wrote
 * @param msgs that they made durable
 */
public record LogGroups(long bytesMax, long syncs, long writes, long bytes, long msgs) {
    /** {@return what came after an earlier look} */
    public static List<LogGroups> growth(List<LogGroups> earlier, List<LogGroups> now) {
        Map<Long, LogGroups> before = new TreeMap<>();
        earlier.forEach(groups -> before.put(groups.bytesMax, groups));
        List<LogGroups> grown = new ArrayList<>();
        for (LogGroups groups : now) {
            LogGroups then = before.get(groups.bytesMax);
            LogGroups more = then == null ? groups : groups.plus(then, -1);
            if (more.syncs > 0) {
                grown.add(more);
            }
        }
        return grown;
    }

    /** {@return the sums of several; null when none of them is known} */
    public static @Nullable List<LogGroups> sum(List<List<LogGroups>> known) {
        Map<Long, LogGroups> sums = new TreeMap<>();
        known.forEach(repeat -> repeat.forEach(
                groups -> sums.merge(groups.bytesMax, groups, (one, other) -> one.plus(other, 1))));
        return known.isEmpty() ? null : List.copyOf(sums.values());
    }

    private LogGroups plus(LogGroups other, int sign) {
        return new LogGroups(
                bytesMax,
                syncs + sign * other.syncs,
                writes + sign * other.writes,
                bytes + sign * other.bytes,
                msgs + sign * other.msgs);
    }
}
