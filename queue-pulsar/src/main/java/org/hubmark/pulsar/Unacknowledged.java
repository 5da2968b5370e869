package org.hubmark.pulsar;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entries of a topic that a subscription has not acknowledged: those behind a position, up to another
 * one, without some ranges.
 *
 * @param behind all up to this one are acknowledged
 * @param last the last that there was
 * @param acknowledged others between the two, by their first entry; disjoint
 */
record Unacknowledged(Position behind, Position last, NavigableMap<Position, Range> acknowledged) {
    private static final Pattern POSITION = Pattern.compile("(-?\\d+):(-?\\d+)");
    private static final Pattern RANGE =
            Pattern.compile("([(\\[])(-?\\d+:-?\\d+)(?:\\.\\.|‥)(-?\\d+:-?\\d+)([)\\]])");

    /**
     * Where an entry stands in a topic.
     *
     * @param ledger the ledger's number
     * @param entry its number in the ledger
     */
    record Position(long ledger, long entry) implements Comparable<Position> {
        @Override
        public int compareTo(Position other) {
            int byLedger = Long.compare(ledger, other.ledger);
            return byLedger == 0 ? Long.compare(entry, other.entry) : byLedger;
        }

        private static Position parse(String text) {
            Matcher matcher = POSITION.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("'" + text + "' is not a position");
            }
            return new Position(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
        }
    }

    /** Entries from one to another; {@code open} leaves the first out. */
    record Range(Position first, boolean open, Position last, boolean openAtEnd) {
        boolean contains(Position position) {
            int toFirst = position.compareTo(first);
            int toLast = position.compareTo(last);
            return (open ? toFirst > 0 : toFirst >= 0) && (openAtEnd ? toLast < 0 : toLast <= 0);
        }
    }

    /**
     * Reads what a broker says of a subscription.
     *
     * @param deleted {@code [(3:5..3:7],(3:9..4:1]]}
     * @throws IllegalArgumentException if it looks otherwise
     */
    static Unacknowledged parse(String markDelete, String deleted, String last) {
        NavigableMap<Position, Range> ranges = new TreeMap<>();
        Matcher matcher = RANGE.matcher(deleted);
        while (matcher.find()) {
            Position first = Position.parse(matcher.group(2));
            boolean open = matcher.group(1).equals("(");
            boolean openAtEnd = matcher.group(4).equals(")");
            ranges.put(first, new Range(first, open, Position.parse(matcher.group(3)), openAtEnd));
        }
        if (ranges.isEmpty() && deleted.matches(".*\\d.*")) {
            throw new IllegalArgumentException("'" + deleted + "' are not ranges");
        }
        return new Unacknowledged(Position.parse(markDelete), Position.parse(last), ranges);
    }

    boolean contains(Position position) {
        Map.Entry<Position, Range> range = acknowledged.floorEntry(position);
        return position.compareTo(behind) > 0
                && position.compareTo(last) <= 0
                && (range == null || !range.getValue().contains(position));
    }
}
