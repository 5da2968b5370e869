package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whether the columns of qualification.json follow from the raw files beside it.
 *
 * @param cells how many were computed again
 * @param mismatches those that come out otherwise, a line each
 */
public record Recomputed(int cells, List<String> mismatches) {
    /** A histogram that was written and read keeps three digits. */
    private static final double NEAR = 0.001;

    /** Copies. */
    public Recomputed {
        mismatches = List.copyOf(mismatches);
    }

    /** Computes all columns of all phases again. */
    public static Recomputed of(JsonNode qualification, Path folder) throws IOException {
        int cells = 0;
        List<String> mismatches = new ArrayList<>();
        for (JsonNode phase : qualification.path("phases")) {
            String name = phase.path("phase").asText();
            Map<String, Measured> raw = RawSamples.read(folder, name);
            for (JsonNode instance : phase.path("instances")) {
                String key = instance.path("instance").asText();
                Measured measured = raw.get(key);
                if (measured == null) {
                    mismatches.add(name + ", " + key + ": no raw samples");
                    continue;
                }
                for (Column column : Column.values()) {
                    if (name.equals("recovery") && Column.UNSEEN_IN_RECOVERY.contains(column)) {
                        continue;
                    }
                    cells++;
                    JsonNode written = instance.path(column.key());
                    Double again = column.of(measured);
                    if (!same(written, again)) {
                        mismatches.add(name + ", " + key + ", " + column.key() + ": "
                                + written.asText() + ", computed again " + again);
                    }
                }
            }
        }
        return new Recomputed(cells, mismatches);
    }

    private static boolean same(JsonNode written, @Nullable Double again) {
        return again == null
                ? written.isNull()
                : written.isNumber()
                        && Math.abs(written.asDouble() - again) <= NEAR * Math.abs(again);
    }
}
