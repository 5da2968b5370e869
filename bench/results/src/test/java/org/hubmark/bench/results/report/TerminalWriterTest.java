package org.hubmark.bench.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table keeps within the width of a terminal, and its names stay in one piece. */
class TerminalWriterTest {
    @Test
    void columnsThatDoNotFitBesideANameStandBelow() {
        String name = "sata-7200/cache/suppressed";
        List<String> headings = new ArrayList<>(List.of("Configuration"));
        List<TableCell> row = new ArrayList<>(List.of(new TableCell(name, true)));
        for (int i = 1; i <= 9; i++) {
            headings.add("column " + i);
            row.add(new TableCell("1234.56 to 7890.1", true));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        new TerminalWriter(out).grid(new Sheet.Grid(headings, List.of(row)));
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= 118);
        assertThat(lines.stream().filter(line -> line.startsWith(name + " "))).hasSize(3);
        assertThat(String.join(" ", lines)).contains(headings);
        assertThat(Collections.frequency(List.of(String.join(" ", lines).split(" +")), "7890.1"))
                .isEqualTo(9);
    }
}
