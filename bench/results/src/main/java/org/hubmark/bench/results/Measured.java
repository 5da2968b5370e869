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

import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Definition;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.statistics.Inference;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of the catalogue, of a repeat or a scenario. In a file each stands under its key, null
 * where it isn't known.
 *
 * @param known those that are
 */
@JsonSerialize(using = Measured.Writer.class)
@JsonDeserialize(using = Measured.Reader.class)
public record Measured(Map<Column, Double> known) {
    /** Copies the map. */
    public Measured {
        known = Map.copyOf(known);
    }

    /** {@return all that can be made of counters} */
    public static Measured of(Repeat counted) {
        Map<Column, Double> figures = new LinkedHashMap<>();
        for (Column figure : Figure.ALL) {
            double value = figure.value(counted);
            if (Double.isFinite(value)) {
                figures.put(figure, value);
            }
        }
        return new Measured(figures);
    }

    /**
     * {@return a row that agrees with itself: of what is made of counters the median of those that know
     * it, and what is made of other figures made of those}
     *
     * @param machines counters that all repeats have alike
     */
    static Measured row(List<Measured> all, Repeat machines) {
        Map<Column, Double> row = new LinkedHashMap<>();
        for (Column figure : Figure.OF_REPEATS) {
            double value = ofRow(figure, row, machines);
            Double known = Double.isFinite(value) ? (Double) value : median(all, figure);
            if (known != null) {
                row.put(figure, known);
            }
        }
        return new Measured(row);
    }

    private static double ofRow(Column figure, Map<Column, Double> row, Repeat machines) {
        return figure.definition() instanceof Definition.OfRow made
                ? made.formula()
                        .filled(input -> input instanceof Formula.OfColumn other
                                ? row.getOrDefault(other.column(), Double.NaN)
                                : input.value(machines))
                        .value(machines)
                : Double.NaN;
    }

    private static @Nullable Double median(List<Measured> all, Column figure) {
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
    public @Nullable Double get(Column figure) {
        return known.get(figure);
    }

    /** {@return what was used of the machine} */
    public MachineUse machineUse() {
        return new MachineUse(
                known.getOrDefault(Figure.CPU_PERCENT, Double.NaN),
                known.getOrDefault(Figure.STEAL_PERCENT, Double.NaN),
                known.getOrDefault(Figure.FOREIGN_CPU_PERCENT, Double.NaN),
                known.getOrDefault(Figure.THROTTLED_PERCENT, Double.NaN));
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
            for (Column figure : Figure.OF_REPEATS) {
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
            Map<Column, Double> figures = new LinkedHashMap<>();
            for (Column figure : Figure.OF_REPEATS) {
                JsonNode value = fields.path(figure.key());
                if (value.isNumber() && Double.isFinite(value.asDouble())) {
                    figures.put(figure, value.asDouble());
                } else if (!value.isMissingNode() && !value.isNull()) {
                    return context.reportInputMismatch(
                            Measured.class, "%s is not a number: %s", figure.key(), value);
                }
            }
            return new Measured(figures);
        }
    }
}
