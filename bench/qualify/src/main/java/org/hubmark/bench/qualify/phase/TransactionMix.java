package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.core.UserError;

import java.util.Arrays;
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
    public static final TransactionMix DEFAULT = new TransactionMix(Map.of(
            TransactionKind.INSERT,
            40,
            TransactionKind.DELETE,
            20,
            TransactionKind.REPLACE,
            5,
            TransactionKind.READ,
            35));

    private static final int ALL = 100;

    /**
     * Checks.
     *
     * @throws UserError when the percents don't add up to 100
     */
    public TransactionMix {
        percents = Map.copyOf(percents);
        boolean hasLess = percents.values().stream().anyMatch(percent -> percent < 0);
        if (hasLess || percents.values().stream().mapToInt(Integer::intValue).sum() != ALL) {
            throw UserError.usage("--mix has percentages that are below 0, or don't add up to 100");
        }
    }

    private int percent(TransactionKind kind) {
        return percents.getOrDefault(kind, 0);
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
