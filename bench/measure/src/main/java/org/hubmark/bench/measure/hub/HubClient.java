package org.hubmark.bench.measure.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;

/** Asks a hub for its counters over HTTP. Blocks. */
public final class HubClient {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final ObjectMapper JSON = new ObjectMapper();

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
     * {@return nanoseconds from acceptance to the end of delivery, of all messages since the hub
     * started; null when the hub doesn't say}
     *
     * @param reset forgets the largest queue length so far
     */
    public @Nullable Histogram queueResidence(boolean reset) throws IOException {
        JsonNode encoded = JSON.readTree(
                        reset ? ask("POST", "/histograms/reset") : get("/histograms"))
                .get("queue_residence_ns");
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
