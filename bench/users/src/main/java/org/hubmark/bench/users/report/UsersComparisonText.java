package org.hubmark.bench.users.report;

import org.hubmark.bench.users.compare.LevelPair;
import org.hubmark.bench.users.compare.UsersComparison;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Two results of users on a terminal. */
public final class UsersComparisonText {
    private static final String FIGURE = "figure";

    private UsersComparisonText() {}

    /** Prints the verdict, then all levels. */
    public static void print(UsersComparison comparison, PrintStream out) {
        out.println("A: " + comparison.a());
        out.println("B: " + comparison.b());
        out.println();
        out.println(comparison.text());
        comparison.remarks().forEach(remark -> out.println("  " + remark));
        out.println();
        List<List<List<String>>> levels = comparison.levels().stream()
                .map(pair -> ComparisonRows.of(pair, false))
                .toList();
        int width = levels.stream()
                .flatMap(List::stream)
                .mapToInt(row -> row.getFirst().length())
                .max()
                .orElse(FIGURE.length());
        List<String> head = new ArrayList<>(List.of(FIGURE));
        head.addAll(ComparisonRows.HEADINGS);
        line(out, width, "users", head);
        for (int i = 0; i < levels.size(); i++) {
            String users = Numbers.whole(comparison.levels().get(i).users());
            for (List<String> row : levels.get(i)) {
                line(out, width, users, row);
                users = "";
            }
        }
        out.println();
        reasons(comparison).forEach(out::println);
        out.flush();
    }

    private static void line(PrintStream out, int width, String users, List<String> row) {
        out.printf(
                Locale.ROOT,
                "%9s  %-" + width + "s  %12s  %12s  %8s  %s%n",
                users,
                row.get(0),
                row.get(1),
                row.get(2),
                row.get(3),
                row.get(4));
    }

    /** {@return why levels do not pass, a line each} */
    static List<String> reasons(UsersComparison comparison) {
        List<String> lines = new ArrayList<>();
        for (LevelPair pair : comparison.levels()) {
            reasons("A", pair.users(), pair.a(), lines);
            reasons("B", pair.users(), pair.b(), lines);
        }
        return lines;
    }

    private static void reasons(
            String name, int users, LevelPair.@Nullable Side side, List<String> lines) {
        if (side != null) {
            side.reasons()
                    .forEach(reason ->
                            lines.add(name + ", " + Numbers.whole(users) + " users: " + reason));
        }
    }
}
