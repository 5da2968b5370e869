package org.hubmark.bench.results;

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

import org.hubmark.bench.kit.statistics.Inference;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The figures of the catalogue, of a repeat or a scenario. In a file each stands under its key, null
 * where it isn't known.
 *
 * @param known those that are
 */
@JsonSerialize(using = Measured.Writer.class)
@JsonDeserialize(using = Measured.Reader.class)
public record Measured(Map<Figure, Double> known) {
    /** Copies the map. */
    public Measured {
        known = Map.copyOf(known);
    }

    /** {@return all that can be made of counters and facts} */
    public static Measured of(Function<Input, @Nullable Double> inputs) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            Double value = figure.compute(inputs);
            if (value != null) {
                figures.put(figure, value);
            }
        }
        return new Measured(figures);
    }

    /**
     * {@return a row that agrees with itself: of what is made of counters the median of those that know
     * it, and what is made of other figures made of those}
     *
     * @param facts of the machine
     */
    static Measured row(List<Measured> all, Function<Input.Fact, @Nullable Double> facts) {
        Map<Figure, Double> row = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            Double value = figure.ofRow(input -> switch (input) {
                case Figure other -> row.get(other);
                case Input.Fact fact -> facts.apply(fact);
                case Counter counter -> null;
            });
            if (value == null) {
                value = median(all, figure);
            }
            if (value != null) {
                row.put(figure, value);
            }
        }
        return new Measured(row);
    }

    private static @Nullable Double median(List<Measured> all, Figure figure) {
        List<Double> values = new ArrayList<>();
        for (Measured one : all) {
            Double value = one.get(figure);
            if (value != null) {
                values.add(value);
            }
        }
        return values.isEmpty() ? null : (Double) Inference.median(values);
    }

    /** {@return a figure; null when it isn't known} */
    public @Nullable Double get(Figure figure) {
        return known.get(figure);
    }

    /** Writes the fields alone: they stand flat in what has them. */
    static final class Writer extends StdSerializer<Measured> {
        private static final long serialVersionUID = 1;

        Writer() {
            super(Measured.class);
        }

        @Override
        public JsonSerializer<Measured> unwrappingSerializer(NameTransformer unwrapper) {
            return this;
        }

        @Override
        public boolean isUnwrappingSerializer() {
            return true;
        }

        @Override
        public void serialize(Measured value, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            for (Figure figure : Figure.OF_REPEATS) {
                out.writeObjectField(figure.key(), value.get(figure));
            }
        }
    }

    /** Picks its fields out of those of what has them. */
    static final class Reader extends StdDeserializer<Measured> {
        private static final long serialVersionUID = 1;

        Reader() {
            super(Measured.class);
        }

        @Override
        public JsonDeserializer<Measured> unwrappingDeserializer(NameTransformer unwrapper) {
            // Another one: that is how Jackson learns that it can.
            return new Reader();
        }

        @Override
        public Measured deserialize(JsonParser in, DeserializationContext context)
                throws IOException {
            JsonNode fields = context.readTree(in);
            Map<Figure, Double> figures = new EnumMap<>(Figure.class);
            for (Figure figure : Figure.OF_REPEATS) {
                JsonNode value = fields.path(figure.key());
                if (value.isNumber()) {
                    figures.put(figure, value.asDouble());
                }
            }
            return new Measured(figures);
        }
    }
}
