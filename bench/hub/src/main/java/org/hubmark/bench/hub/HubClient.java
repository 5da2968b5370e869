package org.hubmark.bench.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;

/** Asks a hub for its counters over HTTP. Blocks. */
public final class HubClient {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private final String base;

    /**
     * Makes a client.
     *
     * @param address HOST:PORT
     */
    public HubClient(String address) {
        this.base = "http://" + address;
    }

    /** {@return all counters} */
    public HubCounters metrics() throws IOException {
        return HubCounters.parse(get("/metrics"));
    }

    /**
     * {@return the histograms of all messages since the hub started}
     *
     * @param reset forgets the largest queue length so far
     */
    public HubHistograms histograms(boolean reset) throws IOException {
        JsonNode all = JSON.readTree(reset ? ask("POST", "/histograms/reset") : get("/histograms"));
        JsonNode groups = all.get("log_groups");
        return new HubHistograms(
                residence(all.get("queue_residence_ns")),
                groups == null ? null : List.of(JSON.treeToValue(groups, LogGroups[].class)));
    }

    private static @Nullable Histogram residence(@Nullable JsonNode encoded) throws IOException {
        if (encoded == null || encoded.isNull()) {
            return null;
        }
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(encoded.asText())), 0);
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new IOException("the hub's histogram can't be read: " + e.getMessage(), e);
        }
    }

    /** {@return every setting that is in force, as text under its key} */
    public Map<String, String> settings() throws IOException {
        Map<String, String> settings = new TreeMap<>();
        JSON.readTree(get("/settings"))
                .properties()
                .forEach(field -> settings.put(field.getKey(), field.getValue().asText()));
        return settings;
    }

    private String get(String path) throws IOException {
        return ask("GET", path);
    }

    private String ask(String method, String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(base + path).toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setRequestMethod(method);
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
