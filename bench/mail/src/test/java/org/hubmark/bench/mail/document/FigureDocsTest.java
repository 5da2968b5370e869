package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Column;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * docs/measurement.md lists the figures with their formulas as the code has them. A difference fails;
 * the page as it should be is in docs/target/golden.
 */
final class FigureDocsTest {
    @Test
    void listsEveryFigure() throws IOException {
        StringBuilder table = new StringBuilder("| field | label | formula |\n|---|---|---|\n");
        Stream.concat(
                        Figure.OF_REPEATS.stream(),
                        Stream.of(Figure.QUEUE_LENGTH_MAX, Figure.QUEUE_SIZE_MAX))
                .forEach(column -> table.append(row(column)));
        Path docs = Path.of(System.getProperty("hubmark.root"), "docs");
        String text = Files.readString(docs.resolve("measurement.md"));
        int from = text.indexOf("\n| field | label | formula |") + 1;
        String wanted =
                text.substring(0, from) + table + text.substring(text.indexOf("\n\n", from) + 1);
        Files.createDirectories(docs.resolve("target/golden"));
        Files.writeString(docs.resolve("target/golden/measurement.md"), wanted);
        assertThat(text).as("docs/measurement.md, against docs/target/golden").isEqualTo(wanted);
    }

    private static String row(Column column) {
        return "| `" + column.key() + "` | " + column.heading() + " | " + column.words() + " |\n";
    }
}
