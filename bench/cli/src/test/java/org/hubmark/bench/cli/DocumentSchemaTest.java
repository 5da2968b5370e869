package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.plan.PlanDocument;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.scale.result.ScaleOut;
import org.hubmark.bench.users.result.UsersResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Proves that docs/schema says what documents have, and that the recorded documents of all studies, read and
 * written again, are as it says. What is to change is copied from target/golden/schema.
 */
class DocumentSchemaTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Of few blanks: there are thousands of lines. */
    private static final ObjectWriter WRITER = MAPPER.writer(
            new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter(" ", "\n")));

    private static final Map<Kind, String> KINDS = Map.of(
            MailReport.KIND, "mail",
            Qualification.KIND, "qualify",
            UsersResult.KIND, "users",
            PlanDocument.KIND, "plan",
            ScaleOut.KIND, "scale",
            CrashResult.KIND, "durability",
            ClusterCrashResult.KIND, "durability");

    @TestFactory
    Stream<DynamicTest> isPublished() {
        return KINDS.keySet().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.name(), () -> {
                    Path now = Path.of(
                            "target/golden/schema",
                            SchemaCheck.of(kind.file()).getFileName().toString());
                    Files.createDirectories(Objects.requireNonNull(now.getParent()));
                    Files.writeString(
                            now, WRITER.writeValueAsString(DocumentSchema.of(kind)) + "\n");
                    assertThat(SchemaCheck.of(kind.file())).hasSameTextualContentAs(now);
                }));
    }

    @TestFactory
    Stream<DynamicTest> recordedDocumentsAreOfIt() {
        return KINDS.entrySet().stream()
                .flatMap(one -> recorded(one.getKey(), one.getValue())
                        .map(folder -> DynamicTest.dynamicTest(folder.toString(), () -> {
                            JsonNode document = MAPPER.readTree(
                                    DocumentFile.json(DocumentFile.read(folder, one.getKey())));
                            assertThat(errors(one.getKey(), document))
                                    // Recorded under the options of their time.
                                    .filteredOn(error -> !error.startsWith("/settings/"))
                                    .isEmpty();
                        })));
    }

    private static Stream<Path> recorded(Kind kind, String module) {
        try (Stream<Path> all = Files.walk(Path.of("..", module, "src/test/resources/golden"))) {
            List<Path> folders = all.filter(file -> file.endsWith(kind.file()))
                    .map(Path::getParent)
                    .toList();
            assertThat(folders).isNotEmpty();
            return folders.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> errors(Kind kind, JsonNode document) throws IOException {
        return SchemaCheck.errors(JsonFile.read(SchemaCheck.of(kind.file())), document);
    }

    /** What is wrong in a document, by what was done to a recorded one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /users_passed                   |       | /users_passed is gone
            /users_passed                   | 0.5   | /users_passed is 0.5, not ["integer","null"]
            /best                           | 1     | /best is new
            /kind                           | "x"   | /kind is "x", not "users"
            /environment/logical_cores      | null  | /environment/logical_cores is null, not "integer"
            /levels/0/tasks/0/p95_ms        |       | /levels/0/tasks/0/p95_ms is gone
            /levels/0/runs_counted          | []    | /levels/0/runs_counted is new
            /levels/0/tasks/0/failures/a    | "b"   | /levels/0/tasks/0/failures/a is "b", not "integer"
            /settings/own                   | 1     | /settings/own is new
            """)
    void whatIsWrongIsFound(String place, @Nullable String value, String error) throws IOException {
        Path folder = Path.of("../users/src/test/resources/golden/made");
        JsonNode document =
                MAPPER.readTree(DocumentFile.json(DocumentFile.read(folder, UsersResult.KIND)));
        JsonPointer at = JsonPointer.compile(place);
        ObjectNode holder = (ObjectNode) document.at(at.head());
        String key = at.last().getMatchingProperty();
        if (value == null) {
            holder.remove(key);
        } else {
            holder.set(key, MAPPER.readTree(value));
        }
        assertThat(errors(UsersResult.KIND, document)).contains(error);
    }
}
