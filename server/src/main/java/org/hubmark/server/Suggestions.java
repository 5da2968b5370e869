package org.hubmark.server;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Suggestions for a mistyped command or option. */
public final class Suggestions {
    /** One letter in so many may be wrong. */
    private static final int LETTERS_PER_ERROR = 3;

    private Suggestions() {}

    /** {@return what is wrong with a command line; the parser's own words know no commands} */
    static String problem(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        return e instanceof UnmatchedArgumentException unmatched
                        && !unmatched.getUnmatched().isEmpty()
                        && !unmatched.getUnmatched().getFirst().startsWith("-")
                        && !spec.subcommands().isEmpty()
                ? "there is no command '" + unmatched.getUnmatched().getFirst() + "'"
                : String.valueOf(e.getMessage());
    }

    /** {@return the name of a command or option that is like the one that isn't known, in words; or empty} */
    static String of(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return "";
        }
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        String typed = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
        return of(
                typed,
                typed.startsWith("-") ? options(spec) : spec.subcommands().keySet());
    }

    /** {@return the same of any names} */
    public static String of(String typed, Collection<String> names) {
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

    /**
     * {@return how many letters have to be put in, taken out or changed, or swapped with the next}
     * (Levenshtein, Damerau; no letter twice)
     */
    static int distance(String left, String right) {
        int[][] rows = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                if (i == 0 || j == 0) {
                    rows[i][j] = i + j;
                    continue;
                }
                int changed = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
                rows[i][j] = Math.min(
                        rows[i - 1][j - 1] + changed, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
                if (i > 1
                        && j > 1
                        && left.charAt(i - 1) == right.charAt(j - 2)
                        && left.charAt(i - 2) == right.charAt(j - 1)) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[left.length()][right.length()];
    }
}
