package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Judgement whether a result keeps the rules of docs/run-rules.md and may be published: rule by
 * rule, with the findings.
 *
 * @param rules all of them; none before they were judged
 */
public record Publication(boolean publishable, List<Rule> rules) {
    /** Copies the list. */
    public Publication {
        rules = List.copyOf(rules);
    }

    /** Before anything was judged. */
    public static final Publication UNJUDGED = new Publication(false, List.of());

    /** {@return what is judged: publishable when all rules are kept} */
    public static Publication of(List<Rule> found) {
        return new Publication(!found.isEmpty() && found.stream().allMatch(Rule::holds), found);
    }

    /** {@return the rules that are not kept, or not known to be} */
    public List<Rule> broken() {
        return rules.stream().filter(rule -> !rule.holds()).toList();
    }

    /**
     * One of the rules.
     *
     * @param rule as docs/run-rules.md calls it
     * @param kept null where nobody can tell
     * @param found in words
     */
    public record Rule(String rule, @Nullable Boolean kept, String found) {
        /** {@return whether it is known to be kept} */
        public boolean holds() {
            return Boolean.TRUE.equals(kept);
        }
    }
}
