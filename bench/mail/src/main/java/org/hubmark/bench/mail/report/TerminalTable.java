package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.bench.mail.document.Results;

import java.io.PrintStream;
import java.util.List;

/** All tables of a report on a terminal. {@link Answer} has what one wants to know first. */
public final class TerminalTable {
    private TerminalTable() {}

    /** Prints the study's table, what the study lacks, and what must be known to read them. */
    public static void print(Results results, PrintStream out) {
        RunSections run = new RunSections(results);
        out.println(run.title());
        TerminalText.wrap("", run.subtitle(), out);
        print(run.tables(), out);
    }

    /** Prints the steps of a rate that changes; nothing for other rates. */
    public static void printSteps(Results results, PrintStream out) {
        print(new RunSections(results).steps(), out);
    }

    /** Prints the warnings, if there are any. */
    public static void printWarnings(Results results, PrintStream out) {
        print(new RunSections(results).warned(), out);
    }

    private static void print(List<Section> sections, PrintStream out) {
        TerminalText.print(sections, out);
        out.flush();
    }
}
