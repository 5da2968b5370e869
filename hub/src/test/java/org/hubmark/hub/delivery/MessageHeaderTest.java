package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.hub.TestAgents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What of a message is its header, whatever the queue holds: tables of the end that is found. */
final class MessageHeaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'a: 1\\r\\nb: 2\\r\\n\\r\\nbody' | 12",
                "'a: 1\\nb: 2\\n\\nbody' | 10",
                "'a: 1\\r\\n \\r\\nb: 2\\r\\n\\r\\nx' | 15",
                "'\\r\\nbody' | 0",
                "'a: 1' | 4",
                "'' | 0",
            })
    void endsAtTheEmptyLine(String content, int length) throws IOException {
        String octets = content.replace("\\r", "\r").replace("\\n", "\n");
        assertThat(header(octets)).isEqualTo(octets.substring(0, length));
    }

    @Test
    void isCutOffAtTheEndOfALine() throws IOException {
        String line = "x: " + "y".repeat(995) + "\r\n";
        String header = header(line.repeat(30) + "\r\nbody");
        assertThat(header.length()).isBetween(15 << 10, MessageHeader.OCTETS_MAX);
        assertThat(header).endsWith("y\r\n");
    }

    private static String header(String content) throws IOException {
        Lease lease = TestAgents.lease(content, "b@y.example");
        return new String(
                Objects.requireNonNull(MessageHeader.of(lease)), StandardCharsets.US_ASCII);
    }
}
