package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Setup;

import java.util.List;
import java.util.Optional;

/**
 * What scenarios differ in beside the size of messages, and how a scenario is named by it.
 *
 * @param varied the conditions that have more than one value, the most telling first
 */
record Dimensions(List<Condition> varied) {
    /** Stands with the name of a scenario that can lose acknowledged mail, wherever that appears. */
    static final String UNSAFE = "UNSAFE";

    static final Block.Mark UNSAFE_MARK = new Block.Mark(UNSAFE, Block.Tone.DANGER);

    static Dimensions of(List<Scenario> scenarios) {
        return new Dimensions(Setup.varied(
                scenarios.stream().map(one -> one.conditions().setup()).toList()));
    }

    /** {@return what tells the scenario from others of its size, a word or two each} */
    List<String> words(Scenario scenario) {
        return scenario.conditions().setup().words(varied);
    }

    /** {@return the name of what was measured, whatever the size; never empty} */
    String name(Scenario scenario) {
        List<String> words = words(scenario);
        return words.isEmpty() ? kind(scenario) : String.join(", ", words);
    }

    /** {@return the name with a mark on what is unsafe} */
    String markedName(Scenario scenario) {
        return name(scenario) + (isUnsafe(scenario) ? " (" + UNSAFE + ")" : "");
    }

    /** {@return its durability class, or what stands in for one} */
    static String kind(Scenario scenario) {
        if (isDiscard(scenario)) {
            return "discard";
        }
        return isTarget(scenario)
                ? "target"
                : String.valueOf(scenario.conditions().get(Condition.DURABILITY));
    }

    /** {@return whether it is a server of which we don't know what it promises} */
    static boolean isTarget(Scenario scenario) {
        return scenario.conditions().get(Condition.DURABILITY) == null && !isDiscard(scenario);
    }

    private static boolean isDiscard(Scenario scenario) {
        return "discard".equals(scenario.conditions().get(Condition.INTAKE));
    }

    /** {@return whether acknowledged mail can be lost when the power fails} */
    static boolean isUnsafe(Scenario scenario) {
        return Boolean.TRUE.equals(scenario.conditions().safety().unsafe());
    }

    /** {@return why it is unsafe; empty if it is not} */
    static Optional<String> unsafeReason(Scenario scenario) {
        return isUnsafe(scenario)
                ? Optional.ofNullable(scenario.conditions().safety().unsafeReason())
                : Optional.empty();
    }
}
