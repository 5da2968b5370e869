package org.hubmark.bench.users.profile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
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
import org.hubmark.core.UserError;

import java.io.IOException;
import java.io.InputStream;
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
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private static final Map<Class<?>, String> KINDS = Map.of(
            double.class, "a number",
            Double.class, "a number",
            int.class, "a whole number",
            boolean.class, "true or false",
            String.class, "a text");

    private ProfileFile() {}

    /**
     * {@return a profile}
     *
     * @param file its name, for messages
     * @throws IOException when it can't be read; what it says is the user's error
     */
    static UserProfile read(String file, InputStream in) throws IOException {
        String option = "--profile " + file;
        try {
            JsonNode tree = YAML.readTree(in);
            if (!tree.isObject()) {
                throw UserError.usage(option + " holds no keys with values");
            }
            Map<String, Object> told = YAML.convertValue(tree, new TypeReference<>() {});
            return YAML.reader(new InjectableValues.Std().addValue("tree", told))
                    .treeToValue(values(tree), UserProfile.class);
        } catch (JsonMappingException e) {
            throw UserError.usage(option + ", " + what(e));
        } catch (JacksonException e) {
            throw UserError.usage(option + " is not YAML: " + e.getOriginalMessage());
        }
    }

    /** {@return the values without their sources} */
    private static JsonNode values(JsonNode node) {
        if (node instanceof ObjectNode keys) {
            if (keys.has("value")) {
                return keys.get("value");
            }
            ObjectNode values = keys.deepCopy().without("source");
            values.properties().forEach(one -> one.setValue(values(one.getValue())));
            return values;
        }
        ArrayNode list = YAML.createArrayNode();
        node.forEach(one -> list.add(values(one)));
        return node.isArray() ? list : node;
    }

    /** {@return the key at which a value is wrong, and what is allowed there} */
    private static String what(JsonMappingException e) {
        String path = e.getPath().stream()
                .map(step -> step.getFieldName() == null
                        ? String.valueOf(step.getIndex() + 1)
                        : step.getFieldName())
                .collect(Collectors.joining("."));
        if (e.getCause() instanceof IllegalArgumentException wrong) {
            return (path.isEmpty() ? "" : path + ": ") + wrong.getMessage();
        }
        if (e instanceof UnrecognizedPropertyException unknown) {
            return unknown.getKnownPropertyIds().stream()
                    .map(String::valueOf)
                    .filter(key -> !key.equals("tree"))
                    .sorted()
                    .collect(Collectors.joining(", ", path + ": is not known; allowed are ", ""));
        }
        Class<?> type =
                e instanceof MismatchedInputException other ? other.getTargetType() : Object.class;
        return path + ": is missing, or not " + KINDS.getOrDefault(type, "keys with values");
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

    /** Refuses what is missing. */
    static void require(String key, Object value) {
        if (value == null) {
            throw wrong(key, "is missing");
        }
    }

    static IllegalArgumentException wrong(String key, String what) {
        return new IllegalArgumentException(key + ": " + what);
    }
}
