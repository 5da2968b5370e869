package org.hubmark.bench.load;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Result of comparing, message by message, the mail that the driver sent with the mail that the hub
 * delivered.
 *
 * @param share sampled or all
 * @param checkedMsgs queue ids that were looked for
 * @param missingMsgs of these, never delivered
 * @param repeatedMsgs of these, delivered more than once
 * @param changedMsgs of these, delivered with another length or other octets
 * @param repeatedIds queue ids that were given to more than one message
 * @param unknownMsgs delivered, though the driver saw no 250 for them: their connection broke
 */
public record Audit(
        String share,
        long checkedMsgs,
        long missingMsgs,
        long repeatedMsgs,
        long changedMsgs,
        long repeatedIds,
        long unknownMsgs) {
    /** {@return what the server did wrong, as far as it is known} */
    public long faults() {
        return missingMsgs + repeatedMsgs + changedMsgs + repeatedIds;
    }

    /** {@return the sums of repeats; null of none} */
    public static @Nullable Audit sum(List<Audit> all) {
        return all.stream().reduce(Audit::plus).orElse(null);
    }

    private static Audit plus(Audit one, Audit other) {
        return new Audit(
                one.share,
                one.checkedMsgs + other.checkedMsgs,
                one.missingMsgs + other.missingMsgs,
                one.repeatedMsgs + other.repeatedMsgs,
                one.changedMsgs + other.changedMsgs,
                one.repeatedIds + other.repeatedIds,
                one.unknownMsgs + other.unknownMsgs);
    }
}
