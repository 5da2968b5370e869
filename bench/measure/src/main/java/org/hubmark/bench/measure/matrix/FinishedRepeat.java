package org.hubmark.bench.measure.matrix;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.measure.Measurement;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.bench.results.Publication;
import org.hubmark.bench.results.SustainedRate;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.DataFormatException;

/**
 * One finished repeat of one cell, as a file that a later session goes on from. With its histograms,
 * since percentiles of several repeats can't be had from those of each.
 *
 * @param schema of the results that it becomes part of
 * @param identity of the settings that it was measured under
 * @param startedAt ISO 8601, UTC
 * @param conditions as they turned out
 * @param settings that were in force
 * @param sustainedRate what was searched; null where it wasn't
 * @param logDeviceMsgsPerS what the log device holds by itself; null where it wasn't measured
 * @param latencyAt of the cell, measured after its last repeat; null with others
 * @param publication what was done and found before it so that the results can be published; null
 *     where nobody asked
 */
record FinishedRepeat(
        int schema,
        Map<String, String> identity,
        String startedAt,
        double messageSizeKb,
        Conditions conditions,
        Tool tool,
        Environment environment,
        Map<String, Object> settings,
        Measurement.Outcome outcome,
        @Nullable SustainedRate sustainedRate,
        @Nullable Double logDeviceMsgsPerS,
        @Nullable LatencyAt latencyAt,
        @Nullable Publication publication) {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addModule(new SimpleModule()
                    .addSerializer(new HistogramWriter())
                    .addDeserializer(Histogram.class, new HistogramReader()))
            .build();

    /** Writes it as a whole: it is complete when it appears. */
    void write(Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        MAPPER.writeValue(part.toFile(), this);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** {@return what is in a file; null when there is none, or none that can be read} */
    static @Nullable FinishedRepeat read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            FinishedRepeat kept = MAPPER.readValue(file.toFile(), FinishedRepeat.class);
            // Of another version of this program: measured again.
            return kept.schema() == JsonFile.SCHEMA ? kept : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static final class HistogramWriter extends StdSerializer<Histogram> {
        private static final long serialVersionUID = 1;

        HistogramWriter() {
            super(Histogram.class);
        }

        @Override
        public void serialize(Histogram value, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(value.getNeededByteBufferCapacity());
            int length = value.encodeIntoCompressedByteBuffer(buffer);
            out.writeBinary(Arrays.copyOf(buffer.array(), length));
        }
    }

    private static final class HistogramReader extends StdDeserializer<Histogram> {
        private static final long serialVersionUID = 1;

        HistogramReader() {
            super(Histogram.class);
        }

        @Override
        public Histogram deserialize(JsonParser in, DeserializationContext context)
                throws IOException {
            try {
                return Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(in.getBinaryValue()), 0);
            } catch (DataFormatException | IllegalArgumentException e) {
                throw new IOException("a histogram can't be read: " + e.getMessage(), e);
            }
        }
    }
}
