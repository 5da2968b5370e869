package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** docs/scale-out.md lists the settings that are read, with their defaults, and the metrics. */
class PulsarDocsTest {
    @Test
    void listsEverySetting() throws IOException {
        Settings settings = Settings.defaults();
        PulsarSettings.read(settings);
        StringBuilder table = new StringBuilder("| setting | default | meaning |\n|---|---|---|\n");
        for (Settings.Entry entry : settings.entries()) {
            String value = entry.defaultValue();
            table.append("| `" + entry.key() + "` | ")
                    .append(value.isEmpty() ? "(empty)" : "`" + value + "`")
                    .append(" | " + entry.meaning() + " |\n");
        }
        Path file = Path.of(System.getProperty("hubmark.root"), "docs", "scale-out.md");
        assertThat(Files.readString(file)).contains("\n" + table);
    }
}
