package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.TransactionKind;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * How many of a hundred transactions are of each kind.
 *
 * @param percents by the label of the kind, together 100; a kind without an entry has none
 */
public record TransactionMix(Map<String, Integer> percents) {
    /** The source's. */
    public static final TransactionMix DEFAULT = parse("insert=40,delete=20,replace=5,read=35");

    private static final int ALL = 100;

    /**
     * Reads {@code insert=40,delete=20,replace=5,read=35}.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static TransactionMix parse(String text) {
        Map<String, Integer> percents = new HashMap<>();
        boolean isMix = true;
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", -1);
            isMix &= pair.length == 2
                    && Arrays.stream(TransactionKind.values())
                            .anyMatch(kind -> kind.label().equals(pair[0]))
                    && pair[1].matches("\\d{1,3}")
                    && percents.put(pair[0], Integer.valueOf(pair[1])) == null;
        }
        if (!isMix || percents.values().stream().mapToInt(Integer::intValue).sum() != ALL) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a mix (percentages of insert,"
                            + " delete, replace and read that add up to 100: insert=40,delete=20,replace=5,read=35)");
        }
        return new TransactionMix(percents);
    }

    private int percent(TransactionKind kind) {
        return percents.getOrDefault(kind.label(), 0);
    }

    /** {@return what comes next} */
    TransactionKind draw(SplittableRandom random) {
        int left = random.nextInt(ALL);
        for (TransactionKind kind : TransactionKind.values()) {
            left -= percent(kind);
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the mix is not whole");
    }

    @Override
    public String toString() {
        return Arrays.stream(TransactionKind.values())
                .map(kind -> kind.label() + "=" + percent(kind))
                .collect(Collectors.joining(","));
    }
}
