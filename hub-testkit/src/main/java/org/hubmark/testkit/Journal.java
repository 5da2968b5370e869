package org.hubmark.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The last things out of the ordinary that happened to a hub, for the text of a failure. Any thread. */
final class Journal {
    private static final int LINES_MAX = 20;

    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private long left;

    synchronized void add(String line) {
        if (lines.size() == LINES_MAX) {
            lines.removeFirst();
            left++;
        }
        lines.addLast(line);
    }

    /** {@return the last lines, the oldest first, and how many were before them} */
    synchronized List<String> lines() {
        List<String> all = new ArrayList<>();
        if (left > 0) {
            all.add("(" + left + " earlier)");
        }
        all.addAll(lines);
        return all;
    }
}
