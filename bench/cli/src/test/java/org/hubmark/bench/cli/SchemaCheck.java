package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

/**
 * Check of documents against the schemas in docs/schema: which keys each object has and what type each value
 * is of. Programs of others read these keys, so that a change has to be meant. Of JSON Schema it knows what
 * these schemas use, and refuses all else.
 */
final class SchemaCheck {
    /** Where the schemas are published. */
    static final Path SCHEMAS = Path.of("../../docs/schema");

    private static final Set<String> SAID = Set.of(
            "$schema",
            "$defs",
            "title",
            "description",
            "x-unit",
            "properties",
            "required",
            "patternProperties");

    private final JsonNode root;
    private final List<String> errors = new ArrayList<>();

    private SchemaCheck(JsonNode root) {
        this.root = root;
    }

    /** {@return the schema of a results file of that name} */
    static Path of(String file) {
        return SCHEMAS.resolve(file.replace(".json", ".schema.json"));
    }

    /** {@return what makes a document not one of a schema, a line each} */
    static List<String> errors(JsonNode schema, JsonNode document) {
        SchemaCheck check = new SchemaCheck(schema);
        check.value("", schema, document);
        return check.errors;
    }

    /** {@return a results file} Fails where it is not one of its schema. */
    static JsonNode check(Path file) throws IOException {
        JsonNode document = JsonFile.read(file);
        assertThat(errors(JsonFile.read(of(file.getFileName().toString())), document))
                .isEmpty();
        return document;
    }

    /**
     * The same of results of mail. Fails too where a figure or name of a scenario or repeat is null though such
     * results know it, or the other way round: nulls.properties has what results of a name don't know.
     *
     * @param unknown what else these need not know
     */
    static void results(Path folder, String name, Set<String> unknown) throws IOException {
        JsonNode results = check(folder.resolve("results.json"));
        Properties nulls = new Properties();
        try (InputStream in = SchemaCheck.class.getResourceAsStream("nulls.properties")) {
            nulls.load(Objects.requireNonNull(in));
        }
        Set<String> never = Set.of(nulls.getProperty(name).split(" ", -1));
        Set<String> perhaps = new HashSet<>(unknown);
        for (String key : List.of("perhaps", name + ".perhaps")) {
            perhaps.addAll(List.of(nulls.getProperty(key, "").split(" ", -1)));
        }
        List<String> wrong = new ArrayList<>();
        for (JsonNode scenario : results.path("scenarios")) {
            compare("", scenario, never, perhaps, wrong);
            scenario.path("repeats").forEach(one -> compare("", one, never, perhaps, wrong));
        }
        assertThat(wrong).as("null or not, of %s", name).isEmpty();
    }

    private static void compare(
            String above,
            JsonNode row,
            Set<String> never,
            Set<String> perhaps,
            List<String> wrong) {
        row.properties().forEach(one -> {
            String key = above + one.getKey();
            JsonNode value = one.getValue();
            boolean isNull = value.isNull();
            if (isNull != never.contains(key) && !(isNull && perhaps.contains(key))) {
                wrong.add(key + " is " + value);
            }
            if (!perhaps.contains(key)) {
                compare(key + ".", value, never, perhaps, wrong);
            }
        });
    }

    private void value(String path, JsonNode schema, JsonNode value) {
        schema.properties().forEach(one -> {
            JsonNode says = one.getValue();
            switch (one.getKey()) {
                case "$ref" -> value(path, referred(says), value);
                case "const" -> require(says.equals(value), path, value, says);
                case "enum" ->
                    require(says.valueStream().anyMatch(value::equals), path, value, says);
                case "type" -> require(isOf(says, value), path, value, says);
                case "anyOf" -> value(path, says.path(value.isNull() ? 1 : 0), value);
                case "items" -> {
                    for (int i = 0; i < value.size(); i++) {
                        value(path + "/" + i, says, value.path(i));
                    }
                }
                case "additionalProperties" -> object(path, schema, value);
                default -> assertThat(SAID).contains(one.getKey());
            }
        });
    }

    private void object(String path, JsonNode schema, JsonNode object) {
        for (JsonNode key : schema.path("required")) {
            if (!object.has(key.asText())) {
                errors.add(path + "/" + key.asText() + " is gone");
            }
        }
        for (Map.Entry<String, JsonNode> one : object.properties()) {
            String key = one.getKey();
            JsonNode says = schema.path("properties").path(key);
            for (Map.Entry<String, JsonNode> all :
                    schema.path("patternProperties").properties()) {
                says = says.isMissingNode() && key.matches(all.getKey()) ? all.getValue() : says;
            }
            says = says.isMissingNode() ? schema.path("additionalProperties") : says;
            if (says.isBoolean()) {
                errors.add(path + "/" + key + " is new");
            }
            value(path + "/" + key, says, one.getValue());
        }
    }

    private JsonNode referred(JsonNode reference) {
        return root.path("$defs").path(reference.asText().substring("#/$defs/".length()));
    }

    private void require(boolean holds, String path, JsonNode value, JsonNode says) {
        if (!holds) {
            errors.add(path + " is " + value + ", not " + says);
        }
    }

    private static boolean isOf(JsonNode types, JsonNode value) {
        String type = value.isIntegralNumber()
                ? "integer"
                : value.getNodeType().name().toLowerCase(Locale.ROOT);
        String text = types.toString();
        return text.contains('"' + type + '"') || (value.isNumber() && text.contains("\"number\""));
    }
}
