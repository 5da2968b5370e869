package org.hubmark.bench.plan;

import org.hubmark.bench.plan.formula.Curve;
import org.hubmark.bench.plan.formula.Scope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A plan: all steps computed from its values. A pure function of these.
 *
 * @param name of the case; tells plans of one file apart
 * @param title what it is a plan of
 * @param wanted names of the chapters that belong to it
 * @param chapters those that could be computed
 * @param leftOut those that could not, each with what it lacks
 */
public record Plan(
        String name,
        String title,
        Model model,
        Values values,
        Set<String> wanted,
        List<Chapter> chapters,
        List<StepResult> steps,
        List<String> leftOut,
        List<Checked> checks) {
    /**
     * A check.
     *
     * @param met null where it was not asked or can't be told
     */
    public record Checked(
            Check check,
            @Nullable Double has,
            @Nullable Double needs,
            @Nullable Boolean met) {}

    /** Copies. */
    public Plan {
        wanted = Set.copyOf(wanted);
        chapters = List.copyOf(chapters);
        steps = List.copyOf(steps);
        leftOut = List.copyOf(leftOut);
        checks = List.copyOf(checks);
    }

    /**
     * {@return the plan}
     *
     * @param wanted names of chapters; those of the others are not computed
     */
    public static Plan of(
            String name, String title, Model model, Values values, Set<String> wanted) {
        List<StepResult> results = new ArrayList<>();
        Map<String, StepResult> byName = new LinkedHashMap<>();
        List<Chapter> chapters = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (Chapter chapter : model.chapters()) {
            if (!wanted.contains(chapter.name())) {
                continue;
            }
            List<String> missing = chapter.needs().stream()
                    .filter(need -> !isKnown(need, values, byName))
                    .map(model::label)
                    .toList();
            if (!missing.isEmpty()) {
                leftOut.add(chapter.title() + ": needs " + String.join(", ", missing));
                continue;
            }
            chapters.add(chapter);
            for (Step step : chapter.steps()) {
                StepResult result = new Computation(model, values, byName).of(step, chapter);
                byName.put(step.name(), result);
                results.add(result);
            }
        }
        List<Checked> checks = new ArrayList<>();
        for (Check check : model.checks()) {
            Double has = number(check.has(), values, byName);
            Double needs = number(check.needs(), values, byName);
            if (has != null && needs != null && check.isAsked(values)) {
                checks.add(new Checked(check, has, needs, has >= needs));
            }
        }
        return new Plan(name, title, model, values, wanted, chapters, results, leftOut, checks);
    }

    /** {@return the same with other values} */
    public Plan with(Values other) {
        return of(name, title, model, other, wanted);
    }

    /** {@return a step that was computed, whether its value is known or not} */
    public Optional<StepResult> step(String named) {
        return steps.stream().filter(one -> one.step().name().equals(named)).findFirst();
    }

    /** {@return the value of a step; null where it isn't known or was not computed} */
    public @Nullable Double value(String named) {
        return step(named).map(StepResult::value).orElse(null);
    }

    /** {@return the inputs of the chapters that belong to it, known or not} */
    public List<Input> inputs() {
        Set<String> names = new LinkedHashSet<>();
        for (Chapter chapter : model.chapters()) {
            if (wanted.contains(chapter.name())) {
                chapter.steps()
                        .forEach(step -> step.expression().names(names, new LinkedHashSet<>()));
            }
        }
        return model.inputs().values().stream()
                .filter(input -> names.contains(input.name()))
                .toList();
    }

    /** {@return the steps that are answers and known} */
    public List<StepResult> answers() {
        return steps.stream()
                .filter(one -> one.step().answer() && one.value() != null)
                .toList();
    }

    /** {@return whether all is there that is needed} */
    public boolean met() {
        return checks.stream()
                .noneMatch(one -> !one.check.informs() && Boolean.FALSE.equals(one.met));
    }

    private static boolean isKnown(String name, Values values, Map<String, StepResult> computed) {
        return values.curves().containsKey(name) || number(name, values, computed) != null;
    }

    private static @Nullable Double number(
            String name, Values values, Map<String, StepResult> computed) {
        StepResult result = computed.get(name);
        if (result != null) {
            return result.value();
        }
        double value = values.number(name);
        return Double.isNaN(value) ? null : (Double) value;
    }

    /** Computes one step, and takes down what it is made of. One thread. */
    private static final class Computation implements Scope {
        private final Model model;
        private final Values values;
        private final Map<String, StepResult> computed;
        private final Set<String> used = new LinkedHashSet<>();
        private final Set<String> missing = new LinkedHashSet<>();
        private final List<String> notes = new ArrayList<>();

        Computation(Model model, Values values, Map<String, StepResult> computed) {
            this.model = model;
            this.values = values;
            this.computed = computed;
        }

        StepResult of(Step step, Chapter chapter) {
            double value = step.expression().evaluate(this);
            Set<String> inputs = new LinkedHashSet<>();
            for (String name : used) {
                StepResult earlier = computed.get(name);
                if (earlier == null) {
                    inputs.add(name);
                } else {
                    inputs.addAll(earlier.inputs());
                }
            }
            List<String> assumptions = inputs.stream()
                    .filter(name -> {
                        Source source = values.source(name);
                        return source != null && source.isAssumption();
                    })
                    .toList();
            return new StepResult(
                    step,
                    chapter.name(),
                    Double.isNaN(value) ? null : (Double) value,
                    List.copyOf(used),
                    Double.isNaN(value) ? List.copyOf(missing) : List.of(),
                    assumptions,
                    List.copyOf(inputs),
                    notes);
        }

        @Override
        public double number(String name) {
            Double value = Plan.number(name, values, computed);
            if (value == null) {
                StepResult earlier = computed.get(name);
                if (earlier == null || earlier.unknown().isEmpty()) {
                    missing.add(name);
                } else {
                    missing.addAll(earlier.unknown());
                }
                return Double.NaN;
            }
            used.add(name);
            return value;
        }

        @Override
        public Curve curve(String name) {
            Values.GivenCurve given = values.curves().get(name);
            if (given == null) {
                missing.add(name);
                return new Curve(List.of());
            }
            used.add(name);
            return given.curve();
        }

        @Override
        public void leftOut(String name) {
            notes.add("not counted: " + model.label(name) + " (unknown)");
        }

        @Override
        public void beyond(String curve) {
            notes.add("no point of " + model.label(curve) + " lies above the limit: the most that"
                    + " was measured is taken, and there may be more");
        }

        @Override
        public void before(String curve) {
            Curve all = Objects.requireNonNull(values.curves().get(curve)).curve();
            notes.add("every point of " + model.label(curve) + " lies above the limit, the lowest"
                    + " at " + Input.rounded(all.lowest()) + ": nothing was shown to keep it");
        }
    }
}
