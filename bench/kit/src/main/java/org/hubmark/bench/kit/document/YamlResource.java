package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Data that comes with the program as YAML: published studies below {@code /reference}, formulas, presets. */
public final class YamlResource {
    private YamlResource() {}

    /** {@return a resource, such as /presets/hub-study.yaml, as records: keys are component names in snake case} */
    public static <T> T read(String name, Class<T> type) {
        return made(name, tree -> JsonFile.read(tree, type));
    }

    /** {@return what a published study says under the keys that a type names} Other keys are passed over. */
    public static <T> T published(String name, Class<T> type) {
        return made("/reference/" + name + ".yaml", tree -> JsonFile.readNamed(tree, type));
    }

    /** {@return what stands in a resource, such as /reference/hub-study-2007sp1.yaml} */
    public static JsonNode read(String name) {
        return made(name, tree -> tree);
    }

    private interface Maker<T> {
        T of(JsonNode tree) throws IOException;
    }

    private static <T> T made(String name, Maker<T> maker) {
        try (InputStream in = YamlResource.class.getResourceAsStream(name)) {
            return maker.of(new YAMLMapper().readTree(Objects.requireNonNull(in, name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
