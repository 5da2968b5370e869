package org.hubmark.bench.users.profile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.users.result.Task;
import org.hubmark.core.UserError;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads a profile from YAML: keys are component names of {@link UserProfile} in snake case. Each value may
 * stand alone or as {@code {value: ..., source: ...}}, and each group may have a source, which is for
 * readers alone. What is wrong is said with the key at which it is, and what is allowed there.
 */
final class ProfileFile {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private static final Map<Class<?>, String> KINDS = Map.of(
            double.class, "a number",
            Double.class, "a number",
            int.class, "a whole number",
            boolean.class, "true or false",
            String.class, "a text",
            Task.class, "the names of tasks");

    private ProfileFile() {}

    /**
     * {@return the profile of a text}
     *
     * @param file its name, for messages
     */
    static UserProfile parse(String file, String text) {
        JsonNode tree;
        try {
            tree = YAML.readTree(text);
        } catch (JacksonException e) {
            throw UserError.usage("--profile " + file + " is not YAML: " + e.getOriginalMessage());
        }
        if (!tree.isObject()) {
            throw UserError.usage("--profile " + file + " holds no keys with values");
        }
        JsonNode values = tree;
        try {
            values = values("", tree);
            Map<String, Object> told = YAML.convertValue(tree, new TypeReference<>() {});
            return YAML.reader(new InjectableValues.Std().addValue("tree", told))
                    .treeToValue(values, UserProfile.class);
        } catch (JsonMappingException e) {
            throw UserError.usage("--profile " + file + ", " + what(e, values));
        } catch (JacksonException | IllegalArgumentException e) {
            throw UserError.usage("--profile " + file + ", " + e.getMessage());
        }
    }

    /** {@return the values without their sources} */
    private static JsonNode values(String path, JsonNode node) {
        if (node instanceof ArrayNode list) {
            ArrayNode values = YAML.createArrayNode();
            for (JsonNode one : list) {
                values.add(values(path + "[" + (values.size() + 1) + "]", one));
            }
            return values;
        }
        if (!(node instanceof ObjectNode keys)) {
            return node;
        }
        ObjectNode values = keys.deepCopy().without("source");
        JsonNode value = values.remove("value");
        if (value == null) {
            String prefix = path.isEmpty() ? "" : path + ".";
            values.properties()
                    .forEach(one -> one.setValue(values(prefix + one.getKey(), one.getValue())));
            return values;
        }
        if (!values.isEmpty()) {
            throw wrong(
                    path + "." + values.fieldNames().next(),
                    "is not known; allowed are value, source");
        }
        return value;
    }

    /** {@return the key at which a value is wrong, and what is allowed there} */
    private static String what(JsonMappingException e, JsonNode values) {
        StringBuilder path = new StringBuilder();
        JsonPointer pointer = JsonPointer.empty();
        for (JsonMappingException.Reference step : e.getPath()) {
            String key = step.getFieldName();
            path.append(
                    key == null
                            ? "[" + (step.getIndex() + 1) + "]"
                            : path.isEmpty() ? key : "." + key);
            pointer = key == null
                    ? pointer.appendIndex(step.getIndex())
                    : pointer.appendProperty(key);
        }
        JsonNode at = values.at(pointer);
        String below = path.isEmpty() ? "" : path + ".";
        if (e.getCause() instanceof IllegalArgumentException wrong) {
            return below + wrong.getMessage();
        }
        if (e.getCause() instanceof NullPointerException missing) {
            return below + missing.getMessage() + ": is missing";
        }
        if (e instanceof UnrecognizedPropertyException unknown) {
            return path
                    + unknown.getKnownPropertyIds().stream()
                            .map(String::valueOf)
                            .filter(key -> !key.equals("tree"))
                            .sorted()
                            .collect(Collectors.joining(", ", ": is not known; allowed are ", ""));
        }
        if (at.isMissingNode() || at.isNull()) {
            return path + ": is missing";
        }
        Class<?> type =
                e instanceof MismatchedInputException other ? other.getTargetType() : Object.class;
        String kind = KINDS.getOrDefault(
                type, List.class.isAssignableFrom(type) ? "a list" : "keys with values");
        return path + ": " + (at.isValueNode() ? at.asText() + " " : "") + "is not " + kind;
    }

    /** Refuses a number that is out of its range. */
    static void require(String key, double number, double min, double max) {
        if (!(number >= min && number <= max)) {
            throw wrong(
                    key,
                    Digits.plain(number) + " is not a number from " + Digits.plain(min) + " to "
                            + Digits.plain(max));
        }
    }

    static IllegalArgumentException wrong(String key, String what) {
        return new IllegalArgumentException(key + ": " + what);
    }
}
