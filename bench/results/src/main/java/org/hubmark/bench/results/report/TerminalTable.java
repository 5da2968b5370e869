package org.hubmark.bench.results.report;

import org.hubmark.bench.results.Results;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** All tables of a report on a terminal. {@link Answer} has what one wants to know first. */
public final class TerminalTable {
    private final TerminalWriter out;

    private TerminalTable(PrintStream out) {
        this(new TerminalWriter(out));
    }

    TerminalTable(TerminalWriter out) {
        this.out = out;
    }

    /** Prints the study's table, what the study lacks, and what must be known to read them. */
    public static void print(Results results, PrintStream out) {
        print(SheetBuilder.of(results, RawFiles.none()), out);
    }

    /** Prints the steps of a rate that changes; nothing for other rates. */
    public static void printSteps(Results results, PrintStream out) {
        TerminalTable table = new TerminalTable(out);
        table.printSteps(SheetBuilder.of(results, RawFiles.none()));
        table.out.flush();
    }

    /** Prints the warnings, if there are any. */
    public static void printWarnings(Results results, PrintStream out) {
        TerminalTable table = new TerminalTable(out);
        table.printWarnings(SheetBuilder.of(results, RawFiles.none()));
        table.out.flush();
    }

    static void print(Sheet sheet, PrintStream out) {
        new TerminalTable(out).print(sheet);
    }

    private void print(Sheet sheet) {
        out.line(sheet.title());
        out.wrap("", sheet.subtitle());
        printPublication(sheet);
        if (sheet.replay() != null) {
            print(sheet.replay());
        }
        if (sheet.isWide()) {
            out.grid(sheet.overview());
        } else {
            out.table(sheet.studyTable());
            out.table(sheet.furtherTable());
        }
        printMatrix(sheet);
        printSteps(sheet);
        printCostModels(sheet);
        out.space();
        for (int i = 0; i < sheet.notes().size(); i++) {
            out.wrap("[" + (i + 1) + "] ", sheet.notes().get(i));
        }
        printWarnings(sheet);
        if (!sheet.dangers().isEmpty()) {
            out.space();
            out.line("UNSAFE, a power loss may take acknowledged mail:");
            sheet.dangers().forEach(danger -> out.wrap("  ", danger));
        }
        if (!sheet.problems().isEmpty()) {
            out.space();
            out.line("NOT VALID, do not use these results:");
            sheet.problems().forEach(problem -> out.wrap("  ", problem));
        }
        out.flush();
    }

    /** {@return a study measured again, in Markdown: the tables as they stand on a terminal} */
    static String study(Replay replay) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream text = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        new TerminalTable(text).print(replay);
        text.flush();
        return "# The hub study, replayed\n\n```\n"
                + bytes.toString(StandardCharsets.UTF_8).strip() + "\n```\n";
    }

    void print(Replay replay) {
        replay.tables().forEach(out::table);
        out.space();
        out.line("What limits at the highest rate that is sustained, by our data");
        replay.limits().forEach(limit -> out.wrap("  ", limit));
        out.grid(replay.ratios());
        out.space();
        replay.remarks().forEach(remark -> out.wrap("  ", remark));
    }

    private void printSteps(Sheet sheet) {
        if (!sheet.steps().rows().isEmpty()) {
            out.space();
            out.line(
                    "Step by step (latency from the intended start, uncorr. from the actual send)");
            out.grid(sheet.steps());
        }
    }

    private void printMatrix(Sheet sheet) {
        if (!sheet.grid().rows().isEmpty()) {
            out.grid(sheet.grid());
        }
        if (!sheet.effects().rows().isEmpty()) {
            out.space();
            out.line("Effect of each factor, all else equal");
            out.grid(sheet.effects());
        }
    }

    void printCostModels(Sheet sheet) {
        if (!sheet.costModels().rows().isEmpty()) {
            out.space();
            out.line("Cost models");
            for (List<TableCell> row : sheet.costModels().rows()) {
                out.wrap(
                        "  ",
                        row.get(0).text() + " (" + row.get(1).text() + ") = "
                                + row.get(2).text() + "; R squared "
                                + row.get(3).text()
                                + ", largest residual " + row.get(4).text()
                                + " %, a size left out missed by "
                                + row.get(5).text() + " %; fits: " + row.get(7).text());
            }
        }
    }

    void printPublication(Sheet sheet) {
        Sheet.Publication publication = sheet.publication();
        if (publication != null) {
            out.space();
            out.line(
                    publication.publishable()
                            ? "PUBLISHABLE: all run rules are kept (form " + publication.form()
                                    + ")"
                            : "NOT PUBLISHABLE, rules of docs/run-rules.md that are not kept (form "
                                    + publication.form() + "):");
            publication.broken().forEach(broken -> out.wrap("  ", broken));
        }
    }

    private void printWarnings(Sheet sheet) {
        if (!sheet.warnings().isEmpty()) {
            out.space();
            out.line("Warnings:");
            sheet.warnings().forEach(warning -> out.wrap("  ", warning));
        }
    }
}
