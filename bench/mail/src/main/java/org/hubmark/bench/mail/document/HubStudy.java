package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonAnySetter;

import org.hubmark.bench.kit.document.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The published hub study, as {@code reference/hub-study-2007sp1.yaml} has it.
 *
 * @param tableRows in published order
 * @param scenarios in published order
 */
public record HubStudy(List<Line> tableRows, List<Published> scenarios) {
    private static final HubStudy PUBLISHED =
            YamlResource.published("hub-study-2007sp1", HubStudy.class);

    /** {@return it} */
    public static HubStudy published() {
        return PUBLISHED;
    }

    /**
     * A row of its table.
     *
     * @param field the key of the figure, as in results.json
     * @param decimals digits after the point; null for a text
     */
    public record Line(String field, String label, @Nullable Integer decimals) {}

    /**
     * A column of its table.
     *
     * @param server the name of its machine
     * @param figures by key
     */
    public record Published(
            String id,
            String server,
            String limitingResource,
            double messageSizeKb,
            @JsonAnySetter Map<String, Double> figures) {
        /** {@return the short name of its storage: of the two machines one has a battery-backed write cache} */
        public String storage() {
            return server.equals("scsi") ? "SCSI+BBWC" : "SATA";
        }

        /** {@return all that was published of it, by key} */
        public Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>(figures);
            values.put("limiting_resource", Limiting.words(limitingResource));
            return values;
        }
    }
}
