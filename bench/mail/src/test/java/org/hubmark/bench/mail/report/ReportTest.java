package org.hubmark.bench.mail.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.mail.Recorded;
import org.hubmark.bench.mail.TestCase;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves what each way of drawing results says of what is special in them (reports.txt), that each fits a terminal, and
 * that the page loads nothing. The golden files have whole reports.
 */
class ReportTest {
    private static final List<String> WHOLE = List.of("terminal", "md", "html");

    @TempDir
    Path folder;

    static List<TestCase> reports() throws IOException {
        String[] inputs = {"of", "rates", "scenarios", "set", "lines"};
        Stream<String> texts = Stream.of("answer", "terminal", "md", "html", "all")
                .flatMap(drawing -> Stream.of(drawing, "no " + drawing));
        return TestCase.of(
                ReportTest.class,
                "reports.txt",
                Stream.concat(Stream.of(inputs), texts).toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource
    void reports(TestCase one) throws IOException {
        Recorded recorded = new Recorded(one.all("of").getFirst(), folder);
        one.all("scenarios").forEach(count -> recorded.scenarios(Integer.parseInt(count)));
        for (Map.Entry<String, String> line : one.lines()) {
            if (line.getKey().equals("rates")) {
                recorded.rates(Arrays.stream(line.getValue().split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
            } else if (line.getKey().equals("set")) {
                String[] parts = line.getValue().split(" = ", 2);
                recorded.set(parts[0], parts[1]);
            }
        }
        Document document = recorded.read().document();
        Map<String, String> drawings = drawings(document);
        for (Map.Entry<String, String> line : one.lines()) {
            boolean isThere = !line.getKey().startsWith("no ");
            String of = isThere ? line.getKey() : line.getKey().substring(3);
            for (String drawing : of.equals("all") ? WHOLE : List.of(of)) {
                String text = drawings.get(drawing);
                if (text != null) {
                    assertThat(text.contains(line.getValue()))
                            .as("%s: %s in %s", line, drawing, text)
                            .isEqualTo(isThere);
                }
            }
        }
        String answer = printed(out -> DocumentReport.print(document, out));
        assertThat(one.all("lines"))
                .allMatch(lines -> answer.lines().count() <= Integer.parseInt(lines));
    }

    /** {@return each drawing by name; those of a terminal in one line} */
    private Map<String, String> drawings(Document document) throws IOException {
        DocumentReport.write(document, folder);
        Map<String, String> drawings = new LinkedHashMap<>();
        drawings.put("answer", fitted(printed(out -> DocumentReport.print(document, out))));
        drawings.put("terminal", fitted(printed(out -> DocumentReport.printAll(document, out))));
        drawings.put("md", Files.readString(folder.resolve("report.md")));
        String page = Files.readString(folder.resolve("report.html"));
        drawings.put("html", page);
        assertThat(Pattern.compile("(?:src|href)\\s*=\\s*\"([^\"]*)\"")
                        .matcher(page.replaceAll("(?s)<script>.*?</script>", ""))
                        .results())
                .allMatch(link -> link.group(1).startsWith("data:"));
        assertThat(page).doesNotContain("@import", "url(http", "<script src");
        return drawings;
    }

    private static String printed(Consumer<PrintStream> what) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        what.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String fitted(String text) {
        assertThat(text.lines()).allMatch(line -> line.matches("\\p{ASCII}{0,118}"));
        return text.replaceAll("\\s+", " ");
    }
}
