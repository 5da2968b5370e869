package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.results.YamlResource;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** The pairs of NetApp TR-3766: a read cache for metadata on and off. */
@JsonIgnoreProperties(ignoreUnknown = true)
record Pam(List<Configuration> configurations) {
    static final Pam PUBLISHED = read();

    /** A storage that was measured with the cache and without. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Configuration(int users, Disks disks, Results results) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Disks(String type) {}

    /** Figures by the keys of our columns; null where none is printed. */
    record Results(
            Map<String, @Nullable Double> pamEnabled,
            Map<String, @Nullable Double> pamDisabled,
            Map<String, @Nullable Double> improvementPercent) {}

    private static Pam read() {
        try {
            return JsonFile.read(YamlResource.read("/reference/pam-tr3766.yaml"), Pam.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
