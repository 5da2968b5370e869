package org.hubmark.bench.mail.publish;

import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a rule finds.
 *
 * @param kept null where nobody can tell
 */
record Found(@Nullable Boolean kept, String words) {
    static Found kept(String words) {
        return new Found(true, words);
    }

    static Found broken(String words) {
        return new Found(false, words);
    }

    static Found unknown(String words) {
        return new Found(null, words);
    }

    static Found of(boolean kept, String words) {
        return new Found(kept, words);
    }

    /** {@return what is found of all scenarios together: what breaks a rule, else what nobody can tell} */
    static Found ofEach(Results results, Function<Scenario, Found> rule) {
        return ofAll(results.scenarios().stream()
                .map(scenario -> rule.apply(scenario).named(scenario.id()))
                .toList());
    }

    /** {@return the same of all repeats of a scenario} */
    static Found ofEachRepeat(Scenario scenario, Function<Scenario.Repeat, Found> rule) {
        return ofAll(scenario.repeats().stream()
                .map(repeat -> rule.apply(repeat).named("repeat " + repeat.repeat()))
                .toList());
    }

    static Found ofAll(List<Found> all) {
        if (all.isEmpty()) {
            return unknown("nothing was measured");
        }
        List<Found> broken =
                all.stream().filter(one -> Boolean.FALSE.equals(one.kept)).toList();
        List<Found> unknown = all.stream().filter(one -> one.kept == null).toList();
        List<Found> told = broken.isEmpty() ? (unknown.isEmpty() ? all : unknown) : broken;
        return new Found(told.getFirst().kept, words(told));
    }

    private static String words(List<Found> told) {
        List<String> words = new ArrayList<>(told.stream().map(Found::words).toList());
        return words.stream().distinct().collect(Collectors.joining("; "));
    }

    private Found named(String of) {
        return new Found(kept, of + ": " + words);
    }
}
