package org.hubmark.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.hub.Hub;
import org.hubmark.hub.TestHubs;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The dashboard and the alerts below docs/ops ask for metrics that a hub exports, by labels and values
 * that these have. Method: every selector in them against one real scrape.
 */
final class DashboardTest {
    private static final Path OPS = Path.of(System.getProperty("hubmark.root"), "docs", "ops");

    /** A metric and, if there are any, its label matchers. */
    private static final Pattern SELECTOR =
            Pattern.compile("\\b((?:hubmark|jvm|process|system)_[a-z0-9_]+)(?:\\{([^}]*)})?");

    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|=|!~)\"([^\"]*)\"");
    private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");

    /** What Prometheus adds to each sample. */
    private static final Set<String> ADDED = Set.of("job", "instance");

    @TempDir
    private Path folder;

    @Test
    void theDashboardShowsWhatAHubExports() throws IOException {
        JsonNode dashboard = new ObjectMapper()
                .readTree(OPS.resolve("hubmark-dashboard.json").toFile());
        List<String> expressions = dashboard.findValuesAsText("expr");
        assertThat(expressions).hasSizeGreaterThan(30);
        assertFits(expressions);
        Set<Integer> ids = new TreeSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            assertThat(ids.add(panel.path("id").asInt()))
                    .as("%s", panel.path("title"))
                    .isTrue();
        }
    }

    @Test
    void theAlertsAskForWhatAHubExports() throws IOException {
        List<String> lines = Files.readAllLines(OPS.resolve("hubmark-alerts.yml"));
        assertThat(lines).filteredOn(line -> line.contains("- alert: ")).hasSizeGreaterThan(10);
        // Descriptions name metrics too, and those have to be right as well.
        assertFits(lines);
    }

    @Test
    void everyMetricOfOursIsOnTheDashboard() throws IOException {
        String dashboard = Files.readString(OPS.resolve("hubmark-dashboard.json"));
        assertThat(exported())
                .filteredOn(name -> name.matches("hubmark_\\S*(?<!_max)"))
                .filteredOn(name -> !dashboard.contains(name))
                .containsExactlyInAnyOrder(
                        // Of use for tuning, and found by who tunes.
                        "hubmark_log_reads_total",
                        "hubmark_queue_reads_total",
                        "hubmark_smtp_mail_pauses_total",
                        "hubmark_smtp_tls_handshakes_total",
                        "hubmark_tracking_dropped_total");
    }

    private void assertFits(List<String> expressions) throws IOException {
        Set<String> exported = exported();
        int selectors = 0;
        for (String expression : expressions) {
            Set<String> labels = new TreeSet<>(ADDED);
            Matcher selector = SELECTOR.matcher(expression);
            while (selector.find()) {
                selectors++;
                String name = selector.group(1);
                assertThat(exported).as(expression).contains(name);
                exported.stream()
                        .filter(one -> one.startsWith(name + " "))
                        .forEach(one -> labels.add(one.substring(name.length() + 1)));
                Matcher matcher = MATCHER.matcher(selector.group());
                while (matcher.find()) {
                    if (!ADDED.contains(matcher.group(1))) {
                        assertThat(exported)
                                .as(expression)
                                .contains(name + " " + matcher.group(1) + "=" + matcher.group(3));
                    }
                }
            }
            Matcher by = BY.matcher(expression);
            while (by.find()) {
                assertThat(labels).as(expression).contains(by.group(1).split(", *"));
            }
        }
        assertThat(selectors).isPositive();
    }

    /** {@return metrics, with a blank and a label behind it, and with {@code =} and each value of that} */
    private Set<String> exported() throws IOException {
        Set<String> exported = new TreeSet<>();
        try (Hub hub = TestHubs.start(folder, new DeliverySpec.Discard(), Map.of())) {
            for (String line : hub.metrics().lines().toList()) {
                String name = line.split("[ {]", 2)[0];
                exported.add(name);
                Matcher label = MATCHER.matcher(line);
                while (label.find()) {
                    exported.add(name + " " + label.group(1));
                    exported.add(name + " " + label.group(1) + "=" + label.group(3));
                }
            }
        }
        return exported;
    }
}
