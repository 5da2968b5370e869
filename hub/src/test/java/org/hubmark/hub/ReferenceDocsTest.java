package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * docs/settings.md and docs/metrics.md list what a hub with defaults really reads and exports. A
 * difference fails, with what the file should hold written beside the build.
 */
final class ReferenceDocsTest {
    @TempDir
    private Path folder;

    @Test
    void listsEverySetting() throws IOException {
        HubConfiguration configuration =
                HubConfigurations.on(folder, IntakeKind.STORE, new DeliverySpec.Hold(), Map.of());
        Hub.start(configuration).close();
        StringBuilder table = new StringBuilder("| setting | default | meaning |\n|---|---|---|\n");
        for (Settings.Entry entry : configuration.settings().entries()) {
            String value = entry.defaultValue();
            table.append("| `" + entry.key() + "` | ")
                    .append(value.isEmpty() ? "(empty)" : "`" + value + "`")
                    .append(" | " + entry.meaning() + " |\n");
        }
        assertHolds("settings.md", table.toString());
    }

    /** A meaning begins with a noun phrase or a verb. */
    @Test
    void meaningsBeginPlainly() throws IOException {
        for (String page : List.of("settings.md", "metrics.md")) {
            assertThat(Files.readString(docs(page)))
                    .doesNotContainPattern(
                            "(?m)^\\| `[^|]*\\|[^|]*\\| (How|Of|So|That|What|When|Whether|Who|With) ");
        }
    }

    @Test
    void listsEveryMetric() throws IOException {
        String scraped;
        try (Hub hub = Hub.start(HubConfigurations.on(
                folder, IntakeKind.STORE, new DeliverySpec.Discard(), Map.of()))) {
            scraped = hub.metrics();
        }
        Map<String, String> help = new TreeMap<>();
        Map<String, String> type = new TreeMap<>();
        for (String line : scraped.lines().toList()) {
            if (line.startsWith("# HELP hubmark_")) {
                String[] words = line.split(" ", 4);
                help.put(words[2], words[3]);
            } else if (line.startsWith("# TYPE hubmark_")) {
                String[] words = line.split(" ", 4);
                type.put(words[2], words[3]);
            }
        }
        StringBuilder table = new StringBuilder("| metric | kind | meaning |\n|---|---|---|\n");
        help.forEach((name, meaning) -> table.append("| `" + name + "` | ")
                .append(type.get(name))
                .append(" | " + meaning + " |\n"));
        assertHolds("metrics.md", table.toString());
    }

    private static Path docs(String name) {
        return Path.of(System.getProperty("hubmark.root"), "docs", name);
    }

    /** The text around the table is written by hand. */
    private static void assertHolds(String name, String table) throws IOException {
        Path file = docs(name);
        String text = Files.exists(file) ? Files.readString(file) : "";
        if (!text.contains("\n" + table)) {
            Path wanted = Path.of("target", name + ".table");
            Files.writeString(wanted, table);
            assertThat(text)
                    .as("docs/%s has to hold this table, also in hub/%s", name, wanted)
                    .contains("\n" + table);
        }
    }
}
