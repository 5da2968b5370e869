package org.hubmark.bench.qualify.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.TreeComparison;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves what follows from counters, by hand: figures, verdict and reasons. The folder cases has a document
 * of counters alone, of three instances each of which keeps each limit just so, and cases.txt, which says
 * how to read it.
 */
class FiguresTest {
    private static final Path CASES = Path.of("src/test/resources/cases");
    private static final Pattern LINE =
            Pattern.compile("^  (>?) ?(.+?) (=|~|->) (.*)", Pattern.MULTILINE);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    Path folder;

    static Stream<String> cases() throws IOException {
        return Stream.of(Files.readString(CASES.resolve("cases.txt")).split("\n\n", -1))
                .skip(1);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatFollowsFromTheCounters(String text) throws IOException {
        for (String file : List.of("series.csv", "times.hlog")) {
            Files.copy(CASES.resolve(file), folder.resolve(file));
        }
        List<MatchResult> lines = LINE.matcher(text).results().toList();
        JsonNode counted = JsonFile.read(CASES.resolve("qualification.json"));
        for (MatchResult line : lines) {
            if (line.group(3).equals("->")) {
                Path file = folder.resolve(line.group(2));
                String[] change = line.group(4).split(" to ", 2);
                Files.writeString(file, Files.readString(file).replace(change[0], change[1]));
            } else if (line.group(1).isEmpty()) {
                JsonPointer at = JsonPointer.compile(line.group(2));
                ((ObjectNode) counted.at(at.head()))
                        .set(at.last().getMatchingProperty(), MAPPER.readTree(line.group(4)));
            }
        }
        JsonFile.write(counted, folder.resolve("qualification.json"));
        JsonNode found =
                MAPPER.readTree(DocumentFile.json(DocumentFile.read(folder, Qualification.KIND)));
        for (MatchResult line : lines) {
            if (line.group(3).equals("~")) {
                assertThat(found.at(line.group(2)).toString()).contains(line.group(4));
            } else if (!line.group(1).isEmpty()) {
                TreeComparison comparison = new TreeComparison(1e-9);
                comparison.compare(
                        line.group(2), found.at(line.group(2)), MAPPER.readTree(line.group(4)));
                assertThat(comparison.mismatches()).isEmpty();
            }
        }
    }
}
