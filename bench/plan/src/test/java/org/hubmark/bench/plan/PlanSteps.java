package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula.OfColumn;

/** Steps by their names in files. */
final class PlanSteps {
    private PlanSteps() {}

    static OfColumn of(String key) {
        return PlanModel.CHAPTERS.stream()
                .flatMap(chapter -> chapter.steps().stream())
                .filter(step -> Plan.key(step).equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(key));
    }
}
