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

import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
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
     * {@return the figures of a scenario, which follow from each other however its repeats scatter}
     *
     * @param repeats what each of them counted
     */
    public static Measured of(List<Repeat> repeats) {
        Row row = new Row(Map.of(), repeats);
        Table table = new Table(MailDocument.SCENARIOS, List.of(row));
        Map<Column, Double> figures = new LinkedHashMap<>();
        for (Column figure : Figure.OF_REPEATS) {
            double value = table.estimate(row, figure).value();
            if (Double.isFinite(value)) {
                figures.put(figure, value);
            }
        }
        return new Measured(figures);
    }

    /** {@return whether other processes took as much CPU as the server or more} */
    static boolean isOthers(Repeat counted) {
        return counted.count(Counters.FOREIGN_CPU_NS) >= counted.count(Counters.SERVER_CPU_NS);
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
