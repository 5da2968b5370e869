package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/** Plans from results, or again from a publication. It measures nothing. */
public final class PlanStudy implements Study {
    private final List<Plan> plans;
    private final List<String> conditions;

    /**
     * Computes.
     *
     * @param from folders or files of results
     * @param published the publication to compute again; null for one's own plan
     * @param said what was said on the command line, before which all else stands back
     * @throws UserError where there are no such results, the demand is impossible, or nothing follows
     */
    public PlanStudy(List<String> from, @Nullable String published, Collected said) {
        if (published != null && !from.isEmpty()) {
            throw UserError.usage("--published and --from exclude each other: a publication is"
                    + " computed from its own inputs");
        }
        Collected measured = ResultFiles.read(from, said);
        plans = published != null
                ? PublishedCases.of(published, said)
                : List.of(OwnPlan.of(measured.with(said)));
        conditions = measured.warnings();
    }

    @Override
    public Kind kind() {
        return PlanDocument.KIND;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        context.fact(PlanDocument.CONDITIONS, conditions);
        for (Plan plan : plans) {
            context.total(PlanDocument.PLANS, PlanDocument.names(plan), plan.inputs());
        }
        return context.document();
    }
}
