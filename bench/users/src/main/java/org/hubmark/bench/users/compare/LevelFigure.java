package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Locale;

/** A figure of a level that stands beside that of another. */
public enum LevelFigure {
    SCORE_MS("/score_ms", "Score (ms)"),
    SEND_P95_MS("/send_latency_ms/p95", "Sending, 95th percentile (ms)"),
    SEND_MEAN_MS("/send_latency_ms/mean", "Sending, mean (ms)"),
    ARRIVAL_P95_MS("/arrival_latency_ms/p95", "Arrival, 95th percentile (ms)"),
    CPU_PERCENT("/resources/cpu_percent", "CPU of the machine, less the driver's (%)"),
    SERVER_CPU_PERCENT("/resources/server_cpu_percent", "CPU of the server's processes (%)"),
    DRIVER_CPU_PERCENT("/resources/driver_cpu_percent", "CPU of the driver (%)"),
    AVAILABLE_MEMORY_MB("/resources/available_memory_mb", "Memory available (MB)"),
    PAGES_PER_S("/resources/pages_per_s", "Pages read and written (1/s)");

    private final String pointer;
    private final String title;

    LevelFigure(String pointer, String title) {
        this.pointer = pointer;
        this.title = title;
    }

    /** {@return its heading} */
    public String title() {
        return title;
    }

    /** {@return its name in JSON} */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return it, of a level or of a run} */
    JsonNode of(JsonNode part) {
        return part.at(pointer);
    }
}
