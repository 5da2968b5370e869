package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import org.apache.pulsar.client.api.PulsarClientException;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** The file with the token, and what is said where a cluster does not like it. */
class PulsarTokenTest {
    @TempDir
    private Path folder;

    @Test
    void theFileIsReadEachTime() throws IOException {
        Path file = folder.resolve("token");
        PulsarSettings settings = settings(file);
        Files.writeString(file, "one.two.three\n");
        assertThat(settings.token()).isEqualTo("one.two.three");
        Files.writeString(file, "four.five.six");
        assertThat(settings.token()).isEqualTo("four.five.six");
    }

    @Test
    void noFileIsNoToken() throws IOException {
        assertThat(PulsarSettings.read(Settings.defaults()).token()).isEmpty();
    }

    @Test
    void whatIsNoTokenIsRefused() throws IOException {
        Path file = folder.resolve("token");
        for (String text : new String[] {"", "\n", "two words", "two\nlines", "\u00e4"}) {
            Files.writeString(file, text);
            assertThatIOException()
                    .isThrownBy(() -> settings(file).token())
                    .withMessage("there is no token in " + file
                            + ": it has to be one line of ASCII without blanks");
        }
        assertThatIOException()
                .isThrownBy(() -> settings(folder.resolve("absent")).token())
                .withMessageContaining("absent");
    }

    @Test
    void aRefusalSaysWhatHelps() {
        assertThat(PulsarTopics.words(
                        new CompletionException(new PulsarClientException.AuthenticationException(
                                "Failed to authenticate"))))
                .isEqualTo(
                        "Failed to authenticate; pulsar.token-file has to name a file with a token that the"
                                + " cluster takes");
        assertThat(PulsarTopics.words(new PulsarClientException.AuthorizationException(
                        "{\"errorMsg\":\"Client is not authorized\",\"reqId\":1}")))
                .isEqualTo("Client is not authorized; the token in pulsar.token-file must give the"
                        + " right to produce and consume in the namespace");
        assertThat(PulsarTopics.words(new PulsarClientException("one\ntwo"))).isEqualTo("one");
    }

    private static PulsarSettings settings(Path file) {
        return PulsarSettings.read(new Settings(Map.of("pulsar.token-file", file.toString())));
    }
}
