package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.TransactionKind;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * How many of a hundred transactions are of each kind.
 *
 * @param percents together 100; a kind without an entry has none
 */
public record TransactionMix(Map<TransactionKind, Integer> percents) {
    /** The source's. */
    public static final TransactionMix DEFAULT = parse("insert=40,delete=20,replace=5,read=35");

    private static final int ALL = 100;

    /** Copies. */
    public TransactionMix {
        percents = Map.copyOf(percents);
    }

    /**
     * Reads {@code insert=40,delete=20,replace=5,read=35}.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static TransactionMix parse(String text) {
        Map<TransactionKind, Integer> percents = new EnumMap<>(TransactionKind.class);
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", -1);
            TransactionKind kind = pair.length == 2 ? kind(pair[0]) : null;
            if (kind == null
                    || !pair[1].matches("\\d{1,3}")
                    || percents.put(kind, Integer.valueOf(pair[1])) != null) {
                throw malformed(text);
            }
        }
        if (percents.values().stream().mapToInt(Integer::intValue).sum() != ALL) {
            throw malformed(text);
        }
        return new TransactionMix(percents);
    }

    private static @Nullable TransactionKind kind(String label) {
        return Arrays.stream(TransactionKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElse(null);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a mix (percentages of insert,"
                        + " delete, replace and read that add up to 100: insert=40,delete=20,replace=5,read=35)");
    }

    /** {@return what comes next} */
    TransactionKind draw(SplittableRandom random) {
        int left = random.nextInt(ALL);
        for (TransactionKind kind : TransactionKind.values()) {
            left -= percents.getOrDefault(kind, 0);
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the mix is not whole");
    }

    @Override
    public String toString() {
        return Arrays.stream(TransactionKind.values())
                .map(kind -> kind.label() + "=" + percents.getOrDefault(kind, 0))
                .collect(Collectors.joining(","));
    }
}
