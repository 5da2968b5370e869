package org.hubmark.bench.report;

import org.hubmark.bench.results.Results;

import java.io.PrintStream;

/** Prints the table of results to a terminal. */
public final class TerminalTable {
    private TerminalTable() {}

    /** Prints one column for each scenario. */
    public static void print(Results results, PrintStream out) {}
}
