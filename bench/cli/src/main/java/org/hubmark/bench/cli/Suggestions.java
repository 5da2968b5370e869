package org.hubmark.bench.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What somebody may have meant who mistyped a command or an option. */
final class Suggestions {
    /** One letter in so many may be wrong. */
    private static final int LETTERS_PER_ERROR = 3;

    private Suggestions() {}

    /** {@return the name of a command or option that is like the one that isn't known, in words; or empty} */
    static String of(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return "";
        }
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        String typed = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
        return of(typed, typed.startsWith("-") ? options(spec) : spec.subcommands().keySet());
    }

    /** {@return the same of any names} */
    static String of(String typed, Collection<String> names) {
        String best = "";
        int errors = Math.max(1, typed.length() / LETTERS_PER_ERROR) + 1;
        for (String name : names) {
            int distance = distance(typed, name);
            if (distance < errors) {
                errors = distance;
                best = name;
            }
        }
        return best.isEmpty() ? "" : " (did you mean " + best + "?)";
    }

    private static List<String> options(CommandSpec spec) {
        List<String> names = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                names.addAll(List.of(option.names()));
            }
        }
        return names;
    }

    /** {@return how many letters have to be put in, taken out or changed} (Levenshtein) */
    static int distance(String left, String right) {
        int[] before = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] now = new int[right.length() + 1];
            now[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int changed = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
                now[j] = Math.min(
                        before[j - 1] + changed, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[right.length()];
    }
}
