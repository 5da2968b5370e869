package org.hubmark.bench.results.compare;

import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One scenario in both results.
 *
 * @param effects of the quantities known of both
 * @param decisive that the verdict rests on; null when there is none
 * @param remarks what must be known to read it
 */
public record Pair(
        String id,
        List<Effect> effects,
        @Nullable Effect decisive,
        Verdict verdict,
        List<String> remarks) {
    /** Copies the lists. */
    public Pair {
        effects = List.copyOf(effects);
        remarks = List.copyOf(remarks);
    }

    static Pair of(Scenario first, Scenario second, Rule rule) {
        List<Effect> effects = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            Effect effect = Effect.of(quantity, first, second);
            if (effect != null) {
                effects.add(effect);
            }
        }
        List<String> remarks = remarks(first, second);
        boolean given = given(first) && given(second);
        Effect decisive = rule.decisive(effects, given);
        if (!first.valid() || !second.valid()) {
            return new Pair(first.id(), effects, decisive, Verdict.NOT_VALID, remarks);
        }
        Verdict verdict =
                decisive == null ? Verdict.NOT_DISTINGUISHABLE : decisive.verdict(rule.smallest());
        if (decisive != null) {
            rule.why(effects, decisive, given).ifPresent(remarks::add);
        }
        if (decisive == null) {
            remarks.add("no quantity is known of both");
        } else if (decisive.interval() == null) {
            remarks.add("a single repeat has no interval: measure with --repeat 3 or more");
        }
        return new Pair(first.id(), effects, decisive, verdict, remarks);
    }

    /** {@return why they are no pair: the load differs; null when they are one} */
    static @Nullable String obstacle(Scenario first, Scenario second) {
        Conditions from = first.conditions();
        Conditions to = second.conditions();
        if (first.messageSizeKb() != second.messageSizeKb()) {
            return "message size " + first.messageSizeKb() + " KB and " + second.messageSizeKb()
                    + " KB";
        }
        if (!Objects.equals(from.connections(), to.connections())) {
            return "connections " + from.connections() + " and " + to.connections();
        }
        if (!Objects.equals(from.askedRate(), to.askedRate())) {
            return "rate " + from.askedRate() + " and " + to.askedRate();
        }
        return null;
    }

    /** Repeats of a rate that was searched share one search: they don't show how far two differ. */
    private static boolean given(Scenario scenario) {
        return "rate".equals(scenario.figures().limiting().limitingResource())
                || scenario.conditions().rateSearched();
    }

    private static List<String> remarks(Scenario first, Scenario second) {
        List<String> remarks = new ArrayList<>();
        for (String reason : first.invalidReasons()) {
            remarks.add("A is not valid: " + reason);
        }
        for (String reason : second.invalidReasons()) {
            remarks.add("B is not valid: " + reason);
        }
        Conditions from = first.conditions();
        Conditions to = second.conditions();
        differ(remarks, "durability", from.durability(), to.durability());
        differ(remarks, "intake", from.intake(), to.intake());
        differ(remarks, "layout", from.layout(), to.layout());
        differ(remarks, "device", from.deviceProfile(), to.deviceProfile());
        differ(remarks, "flush", from.flush(), to.flush());
        differ(remarks, "checkpoint depth (MB)", from.checkpointDepthMb(), to.checkpointDepthMb());
        if (from.safety().endangered()) {
            remarks.add("A is UNSAFE: " + from.safety().unsafeReason());
        }
        if (to.safety().endangered()) {
            remarks.add("B is UNSAFE: " + to.safety().unsafeReason());
        }
        return remarks;
    }

    private static void differ(
            List<String> remarks, String what, @Nullable Object from, @Nullable Object to) {
        if (!Objects.equals(from, to)) {
            remarks.add(what + " differs: " + (from == null ? "-" : from) + " and "
                    + (to == null ? "-" : to));
        }
    }
}
