package org.hubmark.bench.measure.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * Asks one address for a text over HTTP, each time within limits.
 *
 * @param authorization the value of that field; null for none
 */
record HttpText(URI address, @Nullable String authorization) {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int OCTETS_MAX = 16 << 20;

    /** What came back. */
    record Answer(int status, String body) {}

    /** Asks, and blocks until it is answered. */
    Answer get() throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setInstanceFollowRedirects(false);
        if (authorization != null) {
            connection.setRequestProperty("Authorization", authorization);
        }
        int status = connection.getResponseCode();
        try (InputStream in =
                status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            byte[] octets = in == null ? new byte[0] : in.readNBytes(OCTETS_MAX);
            return new Answer(status, new String(octets, UTF_8));
        }
    }
}
