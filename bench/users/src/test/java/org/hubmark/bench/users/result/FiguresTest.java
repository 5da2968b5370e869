package org.hubmark.bench.users.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
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
 * Proves what follows from the counters of a run: figures, when a level passes, what limits it, what makes a
 * result not valid, and what the report says of what is not known. The folder cases has a document of counters
 * alone and cases.txt, which says how to read it.
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
        Files.copy(CASES.resolve("times.hlog"), folder.resolve("times.hlog"));
        List<MatchResult> lines = LINE.matcher(text).results().toList();
        JsonNode counted = JsonFile.read(CASES.resolve("users.json"));
        for (MatchResult line : lines) {
            if (line.group(3).equals("->")) {
                Path file = folder.resolve(line.group(2));
                String[] change = line.group(4).split(" to ", 2);
                Files.writeString(file, Files.readString(file).replace(change[0], change[1]));
            } else if (line.group(1).isEmpty()) {
                change(counted, JsonPointer.compile(line.group(2)), line.group(4));
            }
        }
        JsonFile.write(counted, folder.resolve("users.json"));
        Document read = DocumentFile.read(folder, UsersResult.KIND);
        JsonNode found = MAPPER.readTree(DocumentFile.json(read));
        for (MatchResult line : lines) {
            if (line.group(2).equals("report")) {
                DocumentReport.write(read, folder);
                assertThat(folder.resolve("report.md")).content().contains(line.group(4));
            } else if (line.group(3).equals("~")) {
                assertThat(found.at(line.group(2)).toString()).contains(line.group(4));
            } else if (!line.group(1).isEmpty()) {
                TreeComparison comparison = new TreeComparison(1e-9);
                comparison.compare(
                        line.group(2), found.at(line.group(2)), MAPPER.readTree(line.group(4)));
                assertThat(comparison.mismatches()).isEmpty();
            }
        }
    }

    private static void change(JsonNode tree, JsonPointer at, String json) throws IOException {
        JsonNode value = MAPPER.readTree(json);
        if (tree.at(at.head()) instanceof ArrayNode list) {
            list.add(value);
        } else {
            ((ObjectNode) tree.at(at.head())).set(at.last().getMatchingProperty(), value);
        }
    }
}
