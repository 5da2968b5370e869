package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.qualify.report.PublishedPairs;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The cases of TR-3766, computed again from their published inputs. */
final class PublishedCases {
    /** What can be computed again. */
    static final String PAM = PublishedPairs.NAME;

    private static final Cases CASES = YamlResource.read("/plan/" + PAM + ".yaml", Cases.class);

    private PublishedCases() {}

    private record Cases(String name, List<Case> cases) {}

    private record Case(String id, String title, List<Assumed> assumed) {}

    private record Assumed(String name, double value, String because) {}

    /**
     * A figure as it is printed in the source.
     *
     * @param step what it is compared with
     * @param value null where N/A is printed
     */
    record Printed(OfColumn step, @Nullable Double value) {
        /**
         * {@return whether a figure becomes this one when it is rounded or cut, as the source did both}
         *
         * @param computed NaN where it isn't applicable
         */
        boolean agrees(double computed) {
            if (Double.isNaN(computed) || value == null) {
                return Double.isNaN(computed) && value == null;
            }
            return Math.round(computed) == Math.round(value)
                    || Math.floor(computed) == Math.floor(value);
        }
    }

    /**
     * {@return the cases of a source}
     *
     * @param said inputs that are to be others than published
     * @throws UserError where there is no such source
     */
    static List<Plan> of(String source, Collected said) {
        if (!source.equals(PAM)) {
            throw UserError.usage(
                    "--published " + source + ": there is " + PAM + ", and no other source");
        }
        return CASES.cases.stream().map(one -> plan(one, said)).toList();
    }

    private static Plan plan(Case one, Collected said) {
        PublishedPairs.Configuration its = Objects.requireNonNull(configuration(one.id), one.id);
        Source source = Source.published(CASES.name);
        Collected known = new Collected();
        known.said(PlanInputs.USERS, its.users(), source);
        known.said(PlanInputs.IOPS_PER_USER, its.iopsPerUser(), source);
        known.said(PlanInputs.MAILBOX_MB, its.mailboxSizeMb(), source);
        known.said(PlanInputs.DRIVES, its.disks().count(), source);
        known.said(PlanInputs.DISK_GB, its.disks().capacityGb(), source);
        Double reserve = its.snapshotReservePercent();
        known.said(
                PlanInputs.CAPACITY_LIMIT_PERCENT,
                reserve == null ? null : (Double) (100 - reserve),
                source);
        for (PlanInputs.Pair pair : PlanInputs.PAIRS) {
            known.said(pair.with(), figure(its.results().pamEnabled(), pair), source);
            known.said(pair.without(), figure(its.results().pamDisabled(), pair), source);
        }
        for (Assumed assumed : one.assumed) {
            Input input = PlanInputs.of(assumed.name).orElseThrow();
            known.said(input, assumed.value, Source.assumed(assumed.because));
        }
        return Plan.of(one.id, CASES.name + ": " + one.title, known.with(said));
    }

    /** {@return the figures that are printed of a case; none of what is no case} */
    static List<Printed> printed(String id) {
        PublishedPairs.Configuration its = configuration(id);
        List<Printed> all = new ArrayList<>();
        if (its == null) {
            return all;
        }
        Map<String, @Nullable Double> improvements = its.results().improvementPercent();
        for (int i = 0; i < PlanInputs.PAIRS.size(); i++) {
            PlanInputs.Pair pair = PlanInputs.PAIRS.get(i);
            if (improvements.containsKey(pair.row())) {
                all.add(new Printed(CacheSteps.IMPROVEMENTS.get(i), figure(improvements, pair)));
            }
        }
        print(all, CacheSteps.EXTRA_DB_IOPS, its.extraDbIops());
        print(all, CacheSteps.MORE_BY_IO, its.extraUsers());
        print(all, CacheSteps.DRIVES_SAVED, its.drivesSaved());
        print(all, SizingSteps.STORAGE_EFFICIENCY_PERCENT, its.storageEfficiencyPercent());
        return all;
    }

    /** {@return a figure, null where it is not printed} Latencies are finer in the text of one case. */
    private static @Nullable Double figure(
            Map<String, @Nullable Double> figures, PlanInputs.Pair pair) {
        Double precise = figures.get(pair.row().replace("_ms", "_precise_ms"));
        return precise == null ? figures.get(pair.row()) : precise;
    }

    private static void print(List<Printed> all, OfColumn step, @Nullable Double value) {
        if (value != null) {
            all.add(new Printed(step, value));
        }
    }

    private static PublishedPairs.@Nullable Configuration configuration(String id) {
        return PublishedPairs.TR_3766.configurations().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElse(null);
    }
}
