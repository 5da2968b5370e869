package org.hubmark.bench.cli;

import org.hubmark.bench.users.KneeSearch;
import org.hubmark.bench.users.Levels;
import org.hubmark.core.UserError;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code --users} says: numbers, or a search. */
final class LevelsText {
    /** The most that may be asked for. */
    static final int USERS_MAX = 100_000;

    /** The most that a search tries; accounts and open files may bound it further. */
    static final int SEARCH_MAX = 10_000;

    private static final int SEARCH_FROM = 100;
    private static final Pattern SEARCH = Pattern.compile("search(?::([0-9]{1,6}))?");
    private static final Pattern NUMBERS = Pattern.compile("[0-9]{1,6}(,[0-9]{1,6})*");

    private LevelsText() {}

    /**
     * {@return what it asks for}
     *
     * @param most that a search tries
     */
    static Levels parse(String text, int most) {
        Matcher search = SEARCH.matcher(text);
        if (!search.matches()) {
            return Levels.given(numbers(text));
        }
        String from = search.group(1);
        int first = from == null ? Math.min(SEARCH_FROM, most) : Integer.parseInt(from);
        if (first < KneeSearch.USERS_MIN || first > most) {
            throw UserError.usage("--users " + text + ": a search begins with "
                    + KneeSearch.USERS_MIN + " to " + most + " users");
        }
        return new KneeSearch(first, most);
    }

    private static List<Integer> numbers(String text) {
        if (!NUMBERS.matcher(text).matches()) {
            throw wrong(text);
        }
        List<Integer> numbers = new ArrayList<>();
        // Mail is to somebody else.
        int before = KneeSearch.USERS_MIN - 1;
        for (String part : text.split(",", -1)) {
            int number = Integer.parseInt(part);
            if (number <= before || number > USERS_MAX) {
                throw wrong(text);
            }
            numbers.add(number);
            before = number;
        }
        return numbers;
    }

    private static UserError wrong(String text) {
        return UserError.usage("--users " + text + ": numbers from " + KneeSearch.USERS_MIN + " to "
                + USERS_MAX + ", each larger than the one before, or search, or search:FROM");
    }
}
