package org.hubmark.bench.kit.check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a document says of its machine, measurement by measurement.
 *
 * @param reasons why it is not valid
 * @param warnings what makes it say less than it seems to
 */
public record MachineFindings(List<String> reasons, List<String> warnings) {
    /**
     * A measurement.
     *
     * @param where it is found, in words
     * @param use of the machine; null where its counters could not be read
     * @param stoodStill what {@link MachineUse#stoodStill} says
     * @param others runs that measured at the same time
     */
    public record One(
            String where,
            @Nullable MachineUse use,
            @Nullable String stoodStill,
            List<String> others) {}

    /** {@return what follows from all measurements} */
    public static MachineFindings of(List<One> all, boolean isShared) {
        List<String> reasons = new ArrayList<>();
        Set<String> warnings = new LinkedHashSet<>();
        Set<String> disturbances = new LinkedHashSet<>();
        for (One one : all) {
            if (one.stoodStill != null) {
                reasons.add(one.where + ": " + one.stoodStill);
            }
            MachineUse use = one.use == null ? MachineUse.UNKNOWN : one.use;
            use.disturbances(one.others)
                    .forEach(reason -> disturbances.add(one.where + ": " + reason));
            if (one.use != null) {
                warnings.addAll(one.use.unknowns());
            }
        }
        if (isShared) {
            disturbances.forEach(line -> warnings.add("the machine is shared: " + line));
        } else {
            reasons.addAll(disturbances);
        }
        return new MachineFindings(reasons, List.copyOf(warnings));
    }
}
