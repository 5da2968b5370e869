package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Whatever the locale of the machine, a hub names its files and says its numbers in ASCII. */
final class LocaleTest {
    private static final String ASCII = "\\p{ASCII}*";

    private final Locale before = Locale.getDefault();

    @TempDir
    private Path folder;

    @AfterEach
    void restore() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ar-EG-u-nu-arab",
                "th-TH-u-ca-buddhist-nu-thai",
                "tr-TR",
                "hi-IN-u-nu-deva",
                "fa-IR-u-nu-arabext"
            })
    void allNamesAndNumbersAreAscii(String tag) throws Exception {
        Locale.setDefault(Locale.forLanguageTag(tag));
        assertThat(String.format(Locale.getDefault(), "%d", 7).equals("7"))
                .as("whether %s has digits of its own", tag)
                .isEqualTo(tag.equals("tr-TR"));
        DeliverySpec delivery = new DeliverySpec.Directory(folder.resolve("out"));
        try (Hub hub = TestHubs.start(folder, delivery, Map.of())) {
            try (SmtpClient client = TestHubs.client(hub)) {
                assertThat(client.command("EHLO client.example").text()).matches("(?s)" + ASCII);
                SmtpReply reply = client.send(
                        "a@x.example",
                        List.of("b@y.example"),
                        "Subject: x\r\n\r\ny\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(reply.text()).matches("2\\.0\\.0 queued as [0-9A-Z]{13}");
            }
            // By names alone: what is being written is renamed, and has no attributes then.
            await().until(() -> Stream.of(Objects.requireNonNull(
                                    folder.resolve("out").toFile().list()))
                            .filter(name -> name.endsWith(".json"))
                            .count()
                    == 1);
            assertThat(hub.metrics()).matches("(?s)" + ASCII);
        }
        assertThat(names("tracking")).containsExactly("tracking-00000001.tsv");
        assertThat(names("log")).isNotEmpty().allMatch(name -> name.matches(ASCII));
        assertThat(names("queue")).isNotEmpty().allMatch(name -> name.matches(ASCII));
        for (Path written : files("out").toList()) {
            assertThat(Files.readString(written)).matches("(?s)" + ASCII);
        }
        assertThat(Files.readString(folder.resolve("tracking").resolve("tracking-00000001.tsv")))
                .matches("(?s)" + ASCII);
    }

    private Stream<String> names(String volume) throws Exception {
        return files(volume).map(file -> String.valueOf(file.getFileName()));
    }

    private Stream<Path> files(String volume) throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve(volume))) {
            return files.filter(Files::isRegularFile).toList().stream();
        }
    }
}
