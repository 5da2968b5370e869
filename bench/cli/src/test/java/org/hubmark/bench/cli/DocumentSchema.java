package org.hubmark.bench.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * JSON Schema of the documents of a kind, made of what main code declares of them: forms with their names and
 * columns, records, options. What no declaration has, the types of names, is in schema-names.properties.
 */
final class DocumentSchema {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final Map<String, List<String>> COMMANDS =
            Map.of("mail", List.of("run", "load", "matrix"));
    private static final List<String> SCALARS = List.of("string", "number", "boolean", "null");

    private static final Pattern COMPONENT =
            Pattern.compile("@param (\\w+) ((?:[^@{]|\\{@\\w+ [^}]*\\})*)");

    private final Kind kind;
    private final Properties names = new Properties();
    private final ObjectNode definitions = MAPPER.createObjectNode();

    private DocumentSchema(Kind kind) {
        this.kind = kind;
    }

    /** {@return the schema of a kind} */
    static ObjectNode of(Kind kind) throws Exception {
        DocumentSchema schema = new DocumentSchema(kind);
        try (InputStream in = DocumentSchema.class.getResourceAsStream("schema-names.properties")) {
            schema.names.load(Objects.requireNonNull(in));
        }
        return schema.document();
    }

    private ObjectNode document() throws Exception {
        ObjectNode all = object();
        put(all, "schema", MAPPER.createObjectNode().put("const", JsonFile.SCHEMA));
        put(all, "kind", MAPPER.createObjectNode().put("const", kind.name()));
        components(all, Provenance.class);
        put(all, "settings", settings());
        for (String key : List.of("complete", "verdict", "reasons", "warnings", "answer")) {
            put(all, key, named("/" + key));
        }
        for (Name fact : kind.facts()) {
            put(all, fact);
        }
        String findings = names.getProperty(kind.name() + "/findings", "");
        for (String key : findings.split(" ", -1)) {
            if (!key.isEmpty()) {
                put(all, key, named("findings/" + key));
            }
        }
        for (Form form : kind.forms()) {
            put(all, form.key(), list(row(form)));
        }
        put(all, "raw_files", list(of(RawFile.class)));
        ObjectNode schema = MAPPER.createObjectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", kind.file() + " of hubmark " + String.join(", ", commands()));
        schema.setAll(all);
        schema.set("$defs", definitions);
        return schema;
    }

    private List<String> commands() {
        return COMMANDS.getOrDefault(kind.name(), List.of(kind.name()));
    }

    /** Options by the commands themselves; settings of the hub, which docs/settings.md lists, have a dot. */
    private ObjectNode settings() {
        ObjectNode all = object();
        List<List<String>> keys = new ArrayList<>();
        for (String words : commands()) {
            CommandLine command = Main.commandLine();
            for (String word : words.split(" ", -1)) {
                command = Objects.requireNonNull(command.getSubcommands().get(word), words);
            }
            keys.add(new ArrayList<>(List.of("machine-id")));
            for (OptionSpec option : command.getCommandSpec().options()) {
                String key = option.longestName().substring("--".length());
                if (!Outcomes.NO_SETTINGS.contains(key)) {
                    keys.getLast().add(key);
                    Class<?> type = option.auxiliaryTypes()[0];
                    ArrayNode types = MAPPER.createArrayNode();
                    // Of options that go together none may be there.
                    (type == boolean.class ? Stream.of("boolean", "null") : SCALARS.stream())
                            .forEach(types::add);
                    child(all, key).set("type", types);
                    child(all, key).put("description", String.join(" ", option.description()));
                }
            }
        }
        String more = names.getProperty(kind.name() + "/settings", "");
        for (String key : ("machine-id " + more).strip().split(" ", -1)) {
            child(all, key).set("type", MAPPER.valueToTree(SCALARS));
        }
        String without = names.getProperty(kind.name() + "/without", "");
        List.of(without.split(" ", -1)).forEach(((ObjectNode) all.path("properties"))::remove);
        ArrayNode required = all.putArray("required");
        keys.getFirst().stream()
                .distinct()
                .filter(all.path("properties")::has)
                .filter(key -> keys.stream().allMatch(others -> others.contains(key)))
                .sorted()
                .forEach(required::add);
        all.putObject("patternProperties")
                .putObject("^[a-z]+([.][a-z-]+)+$")
                .set("type", MAPPER.valueToTree(SCALARS));
        return all;
    }

    private static ObjectNode child(ObjectNode object, String key) {
        return object.withObjectProperty("properties").withObjectProperty(key);
    }

    private ObjectNode row(Form form) throws Exception {
        ObjectNode row = figures(form);
        ObjectNode repeat = repeat(form, form.ofRepeats());
        if (isTotal(form)) {
            repeat.path("properties").properties().forEach(one -> {
                String key = one.getKey();
                if (one.getValue().has("items") || !row.path("properties").has(key)) {
                    put(row, key, (ObjectNode) one.getValue(), !key.equals("complete"));
                }
            });
        } else {
            put(row, form.repeats(), list(repeat));
        }
        return row;
    }

    private ObjectNode figures(Form form) throws Exception {
        ObjectNode row = object();
        for (Name name : form.names()) {
            put(row, name);
        }
        for (Form.Derived one : form.derived()) {
            put(row, one.name());
        }
        for (Column column : form.columns()) {
            put(row, column.key(), figure(column));
            range(row, column, form.rule());
        }
        for (Form part : form.parts()) {
            if (!isTotal(part)) {
                put(row, part.key(), list(figures(part)));
            }
        }
        return row;
    }

    /** Its figures are those of its row, where their words stand. */
    private ObjectNode repeat(Form form, List<Name> own) throws Exception {
        ObjectNode repeat = object();
        for (Name name : own) {
            put(repeat, name);
        }
        put(repeat, "complete", MAPPER.createObjectNode().put("const", false), false);
        for (Column column : form.columns()) {
            if (!(column.definition() instanceof Column.Definition.Own)
                    && !(column.definition() instanceof Column.Definition.AtMost)) {
                put(repeat, column.key(), type(column));
            }
        }
        put(repeat, "counters", named("/counters"));
        for (Form part : form.parts()) {
            ObjectNode one = isTotal(part) ? row(part) : repeat(part, part.names());
            put(repeat, part.key(), list(one));
        }
        return repeat;
    }

    private static boolean isTotal(Form form) {
        return form.rule().equals(Estimate.Rule.TOTAL);
    }

    private static ObjectNode figure(Column column) {
        ObjectNode figure = type(column).put("title", column.label());
        if (!column.unit().isEmpty()) {
            figure.put("x-unit", column.unit());
        }
        return figure.put("description", column.words());
    }

    private static ObjectNode type(Column column) {
        return orNull(type(column.isYesOrNo() ? "boolean" : "number"));
    }

    private static ObjectNode type(String name) {
        return MAPPER.createObjectNode().put("type", name);
    }

    private void range(ObjectNode row, Column column, Estimate.Rule rule) throws Exception {
        boolean isOfRepeats = column.definition() instanceof Column.Definition.OfRepeat
                || column.definition() instanceof Column.Definition.OfRow;
        if (column.isYesOrNo()
                || column.definition() instanceof Column.Definition.OfAll
                || (rule.kind() == Estimate.Rule.Kind.TOTAL && isOfRepeats)
                || rule.kind() == Estimate.Rule.Kind.MEDIAN_ALONE) {
            return;
        }
        if (rule.kind() != Estimate.Rule.Kind.MEDIAN || !isOfRepeats) {
            put(row, column.key() + "_ci95", orNull(of(Interval.class)));
        } else {
            for (String end : List.of("_min", "_max")) {
                put(row, column.key() + end, type(column));
            }
        }
    }

    private void put(ObjectNode object, Name name) throws Exception {
        ObjectNode schema = named("/" + name.key());
        put(
                object,
                name.key(),
                name.label().isEmpty() ? schema : schema.put("title", name.label()));
    }

    private ObjectNode named(String key) throws Exception {
        String own = kind.name() + (key.startsWith("/") ? key : "/" + key);
        String type =
                names.getProperty(own, names.getProperty(key.substring(key.indexOf('/') + 1)));
        return ofText(Objects.requireNonNull(type, "schema-names.properties has no " + own));
    }

    /** A type as schema-names.properties has it. */
    private ObjectNode ofText(String type) throws Exception {
        if (type.isEmpty()) {
            return MAPPER.createObjectNode();
        }
        String inner = type.substring(1, Math.max(1, type.length() - 1));
        return switch (type.charAt(type.length() - 1)) {
            case '?' -> orNull(ofText(type.substring(0, type.length() - 1)));
            case ']' -> list(ofText(inner));
            case '}' -> map(ofText(inner));
            case ')' -> ofKeys(inner);
            default ->
                type.contains(".") ? of(Class.forName("org.hubmark.bench." + type)) : type(type);
        };
    }

    private ObjectNode ofKeys(String keys) throws Exception {
        ObjectNode object = object();
        Matcher one = Pattern.compile("(\\w+):((?:[^ (]|\\([^)]*\\))+)").matcher(keys);
        while (one.find()) {
            put(object, one.group(1), ofText(one.group(2)));
        }
        return object;
    }

    private ObjectNode of(AnnotatedType type) throws Exception {
        ObjectNode schema = of(type.getType(), type);
        return type.isAnnotationPresent(Nullable.class) ? orNull(schema) : schema;
    }

    private ObjectNode of(Type type, AnnotatedType annotated) throws Exception {
        if (type instanceof ParameterizedType generic) {
            AnnotatedType[] of =
                    ((AnnotatedParameterizedType) annotated).getAnnotatedActualTypeArguments();
            return generic.getRawType() == Map.class ? map(of(of[1])) : list(of(of[0]));
        }
        return of((Class<?>) type);
    }

    private ObjectNode of(Class<?> type) throws Exception {
        for (Method method : type.getMethods()) {
            if (method.isAnnotationPresent(JsonValue.class) && !type.isEnum()) {
                return of(method.getAnnotatedReturnType());
            }
        }
        ObjectNode schema = MAPPER.createObjectNode();
        if (type.isRecord()) {
            String name = type.getSimpleName();
            if (!definitions.has(name)) {
                ObjectNode definition = object();
                definitions.set(name, definition);
                components(definition, type);
            }
            return schema.put("$ref", "#/$defs/" + name);
        }
        if (type.isEnum()) {
            ArrayNode values = schema.putArray("enum");
            Arrays.stream(type.getEnumConstants()).map(JsonFile::tree).forEach(values::add);
            return schema;
        }
        return switch (type.getSimpleName()) {
            case "double", "Double" -> schema.put("type", "number");
            case "int", "Integer", "long", "Long" -> schema.put("type", "integer");
            case "boolean", "Boolean" -> schema.put("type", "boolean");
            case "String" -> schema.put("type", "string");
            case "Object" -> schema;
            default -> throw new IllegalStateException("no schema of " + type);
        };
    }

    private void components(ObjectNode object, Class<?> type) throws Exception {
        Map<String, String> descriptions = texts(type);
        var properties = MAPPER.getSerializationConfig()
                .introspect(MAPPER.constructType(type))
                .findProperties();
        for (var property : properties) {
            RecordComponent component = Arrays.stream(type.getRecordComponents())
                    .filter(one -> one.getName().equals(property.getInternalName()))
                    .findFirst()
                    .orElseThrow();
            Method accessor = component.getAccessor();
            if (accessor.isAnnotationPresent(JsonUnwrapped.class)) {
                components(object, component.getType());
                continue;
            }
            ObjectNode schema = of(component.getAnnotatedType());
            String description = descriptions.get(component.getName());
            if (description != null) {
                schema.put("description", description);
            }
            boolean optional = accessor.isAnnotationPresent(JsonInclude.class);
            put(object, property.getName(), schema, !optional);
        }
    }

    /** {@return what the comment of a record of ours says of its components, read from its source} */
    private static Map<String, String> texts(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/').replaceFirst("\\$.*", "") + ".java";
        Path source = Path.of("..", file.split("/", -1)[3], "src/main/java", file);
        Map<String, String> words = new HashMap<>();
        String[] parts = Files.exists(source)
                ? Files.readString(source).split("\\brecord " + type.getSimpleName() + "\\(", 2)
                : new String[0];
        if (parts.length == 2) {
            Matcher found = COMPONENT.matcher(parts[0].substring(parts[0].lastIndexOf("/**")));
            while (found.find()) {
                String text = found.group(2)
                        .replaceAll("\\*/[\\s\\S]*", "")
                        .replaceAll("\\s+\\*?\\s*", " ")
                        .replaceAll("\\{@\\w+ #?([^}]*)\\}", "$1");
                words.put(found.group(1), text.strip());
            }
        }
        return words;
    }

    private static ObjectNode list(ObjectNode items) {
        ObjectNode list = type("array");
        list.set("items", items);
        return list;
    }

    private static ObjectNode map(ObjectNode values) {
        ObjectNode map = type("object");
        map.set("additionalProperties", values);
        return map;
    }

    private static ObjectNode orNull(ObjectNode schema) {
        if (schema.path("type").isTextual()) {
            String type = schema.path("type").asText();
            schema.putArray("type").add(type).add("null");
            return schema;
        }
        ObjectNode either = MAPPER.createObjectNode();
        either.putArray("anyOf").add(schema).addObject().put("type", "null");
        return schema.isEmpty() ? schema : either;
    }

    private static ObjectNode object() {
        ObjectNode object = type("object");
        object.putObject("properties");
        object.putArray("required");
        return object.put("additionalProperties", false);
    }

    private static void put(ObjectNode object, String key, ObjectNode schema) {
        put(object, key, schema, true);
    }

    private static void put(ObjectNode object, String key, ObjectNode schema, boolean required) {
        int dot = key.indexOf('.');
        ObjectNode properties = (ObjectNode) object.path("properties");
        String first = dot < 0 ? key : key.substring(0, dot);
        ArrayNode keys = (ArrayNode) object.path("required");
        if (required && !keys.toString().contains("\"" + first + "\"")) {
            keys.add(first);
        }
        if (dot < 0) {
            properties.set(key, schema);
            return;
        }
        if (!properties.has(first)) {
            properties.set(first, object());
        }
        put((ObjectNode) properties.path(first), key.substring(dot + 1), schema, required);
    }
}
