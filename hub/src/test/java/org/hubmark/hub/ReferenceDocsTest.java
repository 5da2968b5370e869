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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * docs/settings.md and docs/metrics.md list what a hub with defaults really reads and exports. A
 * difference fails; the page as it should be is in docs/target/golden.
 */
final class ReferenceDocsTest {
    @TempDir
    private Path folder;

    @Test
    void listsEverySetting() throws IOException {
        HubConfiguration configuration =
                TestHubs.on(folder, IntakeKind.STORE, new DeliverySpec.Hold(), Map.of());
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
        Map<String, String> rows = new TreeMap<>();
        try (Hub hub = TestHubs.start(folder, new DeliverySpec.Discard(), Map.of())) {
            Matcher metric = Pattern.compile("# HELP (hubmark_\\S+) (.*)\n# TYPE \\S+ (\\S+)\n")
                    .matcher(hub.metrics());
            while (metric.find()) {
                String name = metric.group(1);
                rows.put(
                        name,
                        "| `" + name + "` | " + metric.group(3) + " | " + metric.group(2) + " |\n");
            }
        }
        String table =
                "| metric | kind | meaning |\n|---|---|---|\n" + String.join("", rows.values());
        assertHolds("metrics.md", table);
    }

    private static Path docs(String name) {
        return Path.of(System.getProperty("hubmark.root"), "docs", name);
    }

    /**
     * Writes the page with this table in the place of the one with the same head to docs/target/golden,
     * from where it is copied when the code is right. The text around the table is written by hand.
     */
    private static void assertHolds(String name, String table) throws IOException {
        String text = Files.readString(docs(name));
        int from = text.indexOf("\n" + table.substring(0, table.indexOf('\n') + 1)) + 1;
        int to = text.indexOf("\n\n", from) + 1;
        String wanted =
                text.substring(0, from) + table + text.substring(to == 0 ? text.length() : to);
        Path golden = docs("target/golden");
        Files.createDirectories(golden);
        Files.writeString(golden.resolve(name), wanted);
        assertThat(text).as("docs/%s, against docs/target/golden", name).isEqualTo(wanted);
    }
}
