package org.hubmark.hub;

import org.hubmark.core.Settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

/**
 * Settings of the export of metrics by OTLP.
 *
 * @param url where they are sent; empty for no export
 * @param interval time between two exports
 */
record OtlpSettings(String url, Duration interval) {
    private static final String URL = "metrics.otlp.url";
    private static final String INTERVAL = "metrics.otlp.interval";

    /** Checks both. */
    OtlpSettings {
        if (!url.isEmpty()) {
            requireHttp(url);
        }
        if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("setting " + INTERVAL + " has to be 1s or more");
        }
    }

    private static void requireHttp(String url) {
        try {
            URI parsed = new URI(url);
            boolean http = "http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme());
            if (http && parsed.getHost() != null) {
                return;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("setting " + URL + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("setting " + URL + ": '" + url
                + "' is not the URL of a receiver, as http://127.0.0.1:4318/v1/metrics");
    }

    static OtlpSettings read(Settings settings) {
        return new OtlpSettings(
                settings.text(
                        URL,
                        "",
                        "URL that metrics are sent to by OTLP over HTTP, as"
                                + " http://127.0.0.1:4318/v1/metrics; empty for none."),
                settings.duration(
                        INTERVAL,
                        Duration.ofMinutes(1),
                        "Time between two exports of metrics by OTLP."));
    }

    boolean isOn() {
        return !url.isEmpty();
    }
}
