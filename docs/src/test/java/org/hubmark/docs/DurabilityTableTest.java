package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.Main;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves that the table of docs/durability.md is what the command makes of the data beside it. */
class DurabilityTableTest {
    private static final Path DOCS = Path.of(System.getProperty("hubmark.root"), "docs");
    private static final String BEGIN = "<!-- made by docs/durability/update-table -->\n\n";
    private static final String END = "\n<!-- end of what was made -->\n";

    @Test
    void theTableIsThatOfTheData() throws Exception {
        String page = Files.readString(DOCS.resolve("durability.md"));
        assertThat(page).contains(BEGIN, END);
        String table = page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            exitCode = Main.commandLine()
                    .execute("durability", "--report=" + DOCS.resolve("durability"));
        } finally {
            System.setOut(out);
        }
        assertThat(exitCode).isZero();
        assertThat(table)
                .as("run docs/durability/update-table")
                .isEqualTo(printed.toString(StandardCharsets.UTF_8));
    }
}
