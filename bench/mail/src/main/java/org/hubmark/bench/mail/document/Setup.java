package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.NameTransformer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values of {@link Condition}s. In a file each stands under its key, null where it isn't known.
 *
 * @param known those that are
 */
@JsonSerialize(using = Setup.Writer.class)
@JsonDeserialize(using = Setup.Reader.class)
public record Setup(Map<Condition, Object> known) {
    /** Nothing is known. */
    public static final Setup UNKNOWN = new Setup(Map.of());

    /** Copies the map. */
    public Setup {
        known = Map.copyOf(known);
        known.forEach(Condition::checked);
    }

    /** {@return the values of a scenario, or of what scenarios have in common, as in results.json} */
    public static Setup of(JsonNode fields) {
        Map<Condition, Object> values = new EnumMap<>(Condition.class);
        for (Condition condition : Condition.values()) {
            JsonNode value = fields.path(condition.key());
            if (value.isValueNode() && !value.isNull() && !value.asText().isEmpty()) {
                values.put(
                        condition,
                        switch (condition.form()) {
                            case TEXT -> value.asText();
                            case COUNT -> value.asInt();
                            case NUMBER -> value.asDouble();
                            case TRUTH -> value.asBoolean();
                        });
            }
        }
        return new Setup(values);
    }

    /** {@return a value; null when it isn't known} */
    public @Nullable Object get(Condition condition) {
        return known.get(condition);
    }

    /** {@return the same with a value; null when it isn't known} */
    public Setup with(Condition condition, @Nullable Object value) {
        Map<Condition, Object> values = new EnumMap<>(Condition.class);
        values.putAll(known);
        if (value == null) {
            values.remove(condition);
        } else {
            values.put(condition, value);
        }
        return new Setup(values);
    }

    /** {@return the conditions of which several have more than one value, unknown being one} */
    public static List<Condition> varied(Collection<Setup> setups) {
        return Arrays.stream(Condition.values())
                .filter(condition -> setups.stream()
                                .map(setup -> Optional.ofNullable(setup.get(condition)))
                                .distinct()
                                .count()
                        > 1)
                .toList();
    }

    /** {@return a word or two for each of the conditions that is known} */
    public List<String> words(Collection<Condition> conditions) {
        return conditions.stream()
                .flatMap(condition -> condition.word(get(condition)).stream())
                .toList();
    }

    /** Writes an object, or the fields alone where they stand flat in what has them. */
    static final class Writer extends StdSerializer<Setup> {
        private static final long serialVersionUID = 1;

        private final boolean flat;

        Writer() {
            this(false);
        }

        private Writer(boolean flat) {
            super(Setup.class);
            this.flat = flat;
        }

        @Override
        public JsonSerializer<Setup> unwrappingSerializer(NameTransformer unwrapper) {
            return new Writer(true);
        }

        @Override
        public boolean isUnwrappingSerializer() {
            return flat;
        }

        @Override
        public void serialize(Setup value, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            if (!flat) {
                out.writeStartObject();
            }
            for (Condition condition : Condition.values()) {
                out.writeObjectField(condition.key(), value.get(condition));
            }
            if (!flat) {
                out.writeEndObject();
            }
        }
    }

    /** Picks its fields out of those of what has them. */
    static final class Reader extends StdDeserializer<Setup> {
        private static final long serialVersionUID = 1;

        Reader() {
            super(Setup.class);
        }

        @Override
        public JsonDeserializer<Setup> unwrappingDeserializer(NameTransformer unwrapper) {
            // Another one: that is how Jackson learns that it can.
            return new Reader();
        }

        @Override
        public Setup deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return Setup.of(context.readTree(in));
        }
    }
}
