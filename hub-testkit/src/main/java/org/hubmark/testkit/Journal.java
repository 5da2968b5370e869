package org.hubmark.testkit;

import java.util.ArrayDeque;
import java.util.List;

/** The last things out of the ordinary that happened to a hub, for the text of a failure. Any thread. */
final class Journal {
    private static final int LINES_MAX = 20;

    private final ArrayDeque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
        if (lines.size() == LINES_MAX) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }

    /** {@return the last lines, the oldest first} */
    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
