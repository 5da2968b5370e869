package org.hubmark.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfigurations;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
        assertThat(exported().keySet())
                .filteredOn(name -> name.startsWith("hubmark_") && !name.endsWith("_max"))
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
        Map<String, Map<String, Set<String>>> exported = exported();
        int selectors = 0;
        for (String expression : expressions) {
            Set<String> known = new TreeSet<>(ADDED);
            Matcher selector = SELECTOR.matcher(expression);
            while (selector.find()) {
                selectors++;
                Map<String, Set<String>> labels = exported.get(selector.group(1));
                assertThat(labels).as("%s in %s", selector.group(1), expression).isNotNull();
                known.addAll(labels.keySet());
                if (selector.group(2) != null) {
                    assertMatches(selector.group(2), labels, expression);
                }
            }
            Matcher by = BY.matcher(expression);
            while (by.find()) {
                assertThat(known).as(expression).contains(by.group(1).split(", *"));
            }
        }
        assertThat(selectors).isPositive();
    }

    private static void assertMatches(
            String matchers, Map<String, Set<String>> labels, String expression) {
        Matcher matcher = MATCHER.matcher(matchers);
        while (matcher.find()) {
            String label = matcher.group(1);
            if (!ADDED.contains(label)) {
                assertThat(labels.getOrDefault(label, Set.of()))
                        .as("%s in %s", label, expression)
                        .contains(matcher.group(3));
            }
        }
    }

    /** {@return by metric, the values of each of its labels} */
    private Map<String, Map<String, Set<String>>> exported() throws IOException {
        String scraped;
        try (Hub hub = Hub.start(HubConfigurations.on(
                folder, IntakeKind.STORE, new DeliverySpec.Discard(), Map.of()))) {
            scraped = hub.metrics();
        }
        Map<String, Map<String, Set<String>>> exported = new TreeMap<>();
        Pattern sample = Pattern.compile("([a-z0-9_]+)(?:\\{(.*)})? .*");
        for (String line : scraped.lines().toList()) {
            Matcher matched = sample.matcher(line);
            if (line.startsWith("#") || !matched.matches()) {
                continue;
            }
            Map<String, Set<String>> labels =
                    exported.computeIfAbsent(matched.group(1), name -> new TreeMap<>());
            List<String> pairs = new ArrayList<>();
            Matcher label = MATCHER.matcher(matched.group(2) == null ? "" : matched.group(2));
            while (label.find()) {
                labels.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(3));
                pairs.add(label.group());
            }
            assertThat(matched.group(2) == null ? "" : matched.group(2).replaceAll(",$", ""))
                    .isEqualTo(String.join(",", pairs));
        }
        return exported;
    }
}
