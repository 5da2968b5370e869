package org.hubmark.bench.document;

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
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.TreeComparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Cases of what follows from a document of counters alone, in the folder cases of a module's resources;
 * cases.txt there says how to read it.
 */
public final class DocumentCases {
    private static final Path CASES = Path.of("src/test/resources/cases");
    private static final Pattern LINE =
            Pattern.compile("^  (>?) ?(.+?) (=|~|->) (.*)", Pattern.MULTILINE);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private DocumentCases() {}

    /** {@return the text of each case} */
    public static Stream<String> all() throws IOException {
        return Stream.of(Files.readString(CASES.resolve("cases.txt")).split("\n\n", -1))
                .skip(1);
    }

    /** Changes the document as the case says, reads it in an empty folder, and fails where it says otherwise. */
    public static void check(String text, Kind kind, Path folder) throws IOException {
        for (String file : List.of("series.csv", "times.hlog")) {
            if (Files.exists(CASES.resolve(file))) {
                Files.copy(CASES.resolve(file), folder.resolve(file));
            }
        }
        List<MatchResult> lines = LINE.matcher(text).results().toList();
        JsonNode counted = JsonFile.read(CASES.resolve(kind.file()));
        for (MatchResult line : lines) {
            if (line.group(3).equals("->")) {
                Path file = folder.resolve(line.group(2));
                String[] change = line.group(4).split(" to ", 2);
                Files.writeString(file, Files.readString(file).replace(change[0], change[1]));
            } else if (line.group(1).isEmpty()) {
                change(counted, JsonPointer.compile(line.group(2)), line.group(4));
            }
        }
        JsonFile.write(counted, folder.resolve(kind.file()));
        Document read = DocumentFile.read(folder, kind);
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
