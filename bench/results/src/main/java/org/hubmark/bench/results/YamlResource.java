package org.hubmark.bench.results;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Data that comes with the program as YAML: published studies below {@code /reference}, formulas, presets. */
public final class YamlResource {
    private static final YAMLMapper TYPED = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private YamlResource() {}

    /** {@return what stands in a resource, such as /reference/hub-study-2007sp1.yaml} */
    public static JsonNode read(String name) {
        try (InputStream in = YamlResource.class.getResourceAsStream(name)) {
            return new YAMLMapper().readTree(Objects.requireNonNull(in, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return what a resource says under the keys that a type names, in snake case} */
    public static <T> T read(String name, Class<T> type) {
        try (InputStream in = YamlResource.class.getResourceAsStream(name)) {
            return TYPED.readValue(Objects.requireNonNull(in, name), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
