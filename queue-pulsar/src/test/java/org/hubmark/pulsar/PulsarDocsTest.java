package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** docs/scale-out.md lists the settings that are read; the page as it should be is in docs/target/golden. */
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
        Path docs = Path.of(System.getProperty("hubmark.root"), "docs");
        String text = Files.readString(docs.resolve("scale-out.md"));
        int from = text.indexOf("\n| setting | default |") + 1;
        String wanted =
                text.substring(0, from) + table + text.substring(text.indexOf("\n\n", from) + 1);
        Files.createDirectories(docs.resolve("target/golden"));
        Files.writeString(docs.resolve("target/golden/scale-out.md"), wanted);
        assertThat(text).as("docs/scale-out.md, against docs/target/golden").isEqualTo(wanted);
    }
}
