package org.hubmark.bench.results.report;

import java.util.List;

/**
 * A table with a column for each scenario, ready to be drawn.
 *
 * @param caption what it shows
 * @param columns one each scenario
 * @param lines one each row, with as many cells as there are columns
 */
public record Table(String caption, List<Column> columns, List<Line> lines) {
    /**
     * The head of a column.
     *
     * @param heading two or three short lines: size, then what sets the scenario apart
     * @param published true for what the study printed, false for a result of this run
     * @param valid false if the result must not be used
     * @param unsafe true if acknowledged mail can be lost when the power fails
     * @param warnings what makes the figures less certain, a word or two each
     */
    public record Column(
            List<String> heading,
            boolean published,
            boolean valid,
            boolean unsafe,
            List<String> warnings) {
        public Column {
            heading = List.copyOf(heading);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * A row.
     *
     * @param label what stands before the cells
     * @param note the number of the note that goes with it; 0 for none
     * @param cells one each column
     */
    public record Line(String label, int note, List<TableCell> cells) {
        public Line {
            cells = List.copyOf(cells);
        }

        /** {@return the label with the mark of its note} */
        public String markedLabel() {
            return note == 0 ? label : label + " [" + note + "]";
        }
    }

    /** Checks that it is a rectangle. */
    public Table {
        columns = List.copyOf(columns);
        lines = List.copyOf(lines);
        for (Line line : lines) {
            if (line.cells().size() != columns.size()) {
                throw new IllegalArgumentException(line.label() + " has "
                        + line.cells().size() + " cells under " + columns.size() + " columns");
            }
        }
    }
}
