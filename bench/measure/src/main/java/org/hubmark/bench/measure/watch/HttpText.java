package org.hubmark.bench.measure.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * Asks one address for a text over HTTP, each time within limits.
 *
 * @param authorization the value of that field; null for none
 */
record HttpText(URI address, @Nullable String authorization) {
    static final int TIMEOUT_MILLIS = 5_000;
    /** A hub may take a minute to start, and half of one to end. */
    private static final int ACTION_MILLIS_MAX = 120_000;

    static final int OCTETS_MAX = 16 << 20;

    /** Answer to a request. */
    record Answer(int status, String body) {}

    /** Asks, and blocks until it is answered. */
    Answer get() throws IOException {
        return answer(connection(TIMEOUT_MILLIS));
    }

    /** Sends a text to be acted on, and blocks until that is done. */
    Answer post(String body) throws IOException {
        HttpURLConnection connection = connection(ACTION_MILLIS_MAX);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body.getBytes(UTF_8));
        }
        return answer(connection);
    }

    private HttpURLConnection connection(int answerMillis) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(answerMillis);
        connection.setInstanceFollowRedirects(false);
        if (authorization != null) {
            connection.setRequestProperty("Authorization", authorization);
        }
        return connection;
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        try (InputStream in =
                status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            byte[] octets = in == null ? new byte[0] : in.readNBytes(OCTETS_MAX);
            return new Answer(status, new String(octets, UTF_8));
        }
    }
}
