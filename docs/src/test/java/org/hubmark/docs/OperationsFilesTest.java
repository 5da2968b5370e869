package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import org.hubmark.bench.cli.Main;
import org.hubmark.core.Durations;
import org.hubmark.hub.Hub;
import org.hubmark.server.ServeCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Proves that the Kubernetes manifest and the unit of systemd fit the hub: a hub is started with the options of the
 * manifest, in folders of the test, and asked as its probes ask. Its image is that of the release, in the version of the
 * poms. That the chart renders this manifest is checked by .ci/helm.
 */
final class OperationsFilesTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));
    /** What was cut off has two seconds, and closing the queue two minutes. */
    private static final Duration CLOSING_MAX = Duration.ofSeconds(122);

    private static final List<String> VOLUMES = List.of("log", "queue", "tracking");

    @TempDir
    private Path folder;

    /** By kind and name. */
    private final Map<String, JsonNode> objects = new TreeMap<>();

    private final List<String> options = new ArrayList<>();
    private JsonNode set;
    private JsonNode pod;
    private JsonNode container;

    @BeforeEach
    void read() throws IOException {
        try (MappingIterator<JsonNode> documents = new YAMLMapper()
                .readerFor(JsonNode.class)
                .readValues(text("docs/ops/hubmark-kubernetes.yaml"))) {
            documents.forEachRemaining(one -> objects.put(
                    one.path("kind").asText() + "/" + one.at("/metadata/name").asText(), one));
        }
        set = object("StatefulSet/hubmark");
        pod = set.at("/spec/template/spec");
        container = pod.at("/containers/0");
        container.path("args").forEach(one -> options.add(one.asText()));
    }

    private JsonNode object(String name) {
        return Objects.requireNonNull(objects.get(name), name);
    }

    private static String text(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private String option(String name) {
        assertThat(options).anyMatch(one -> one.startsWith(name + "="));
        return String.join("\n", options).replaceFirst("(?s).*" + name + "=([^\n]*).*", "$1");
    }

    @Test
    void aHubTakesTheOptionsAndAnswersTheProbes() throws Exception {
        assertThat(options.getFirst()).isEqualTo("serve");
        for (String volume : VOLUMES) {
            // What the root of a file system holds.
            Files.createDirectories(folder.resolve(volume).resolve("lost+found"));
        }
        CommandLine hubmark = Main.commandLine();
        hubmark.parseArgs(options.stream()
                .map(one -> one.replaceFirst("(volume=).*/", "$1" + folder + "/")
                        .replaceFirst("^(--listen|--metrics)=.*", "$1=127.0.0.1:0")
                        .replace("relay.example.org:25", "127.0.0.1:9"))
                .toArray(String[]::new));
        ServeCommand serve =
                Objects.requireNonNull(hubmark.getSubcommands().get("serve")).getCommand();
        try (Hub hub = serve.start()) {
            int port = hub.metricsAddress().orElseThrow().getPort();
            for (String probe : List.of("livenessProbe", "readinessProbe")) {
                JsonNode asked = container.path(probe).path("httpGet");
                assertThat(asked.path("port").asText()).isEqualTo("metrics");
                URI page = URI.create(
                        "http://127.0.0.1:" + port + asked.path("path").asText());
                assertThat(((HttpURLConnection) page.toURL().openConnection()).getResponseCode())
                        .as("%s", page)
                        .isEqualTo(200);
            }
            hub.drain(Duration.ZERO);
        }
    }

    @Test
    void portsOfOptionsContainerAndServicesAgree() {
        Map<String, String> ports = texts(container.path("ports"), "name", "containerPort");
        assertThat(ports)
                .containsOnlyKeys("smtp", "metrics")
                .containsEntry("smtp", option("--listen").replace("0.0.0.0:", ""))
                .containsEntry("metrics", option("--metrics").replace("0.0.0.0:", ""));
        assertThat(options).contains("--set=admin.remote=true");
        JsonNode smtp = object("Service/hubmark-smtp").path("spec");
        assertThat(texts(smtp.path("ports"), "port", "targetPort")).isEqualTo(Map.of("25", "smtp"));
        JsonNode names =
                object("Service/" + set.at("/spec/serviceName").asText()).path("spec");
        assertThat(names.path("clusterIP").asText()).isEqualTo("None");
        assertThat(names.at("/ports/0/targetPort").asText()).isEqualTo("metrics");
        JsonNode budget = object("PodDisruptionBudget/hubmark").path("spec");
        assertThat(budget.path("maxUnavailable").asInt()).isEqualTo(1);
        assertThat(List.of(
                        set.at("/spec/selector/matchLabels"),
                        smtp.path("selector"),
                        names.path("selector"),
                        budget.at("/selector/matchLabels")))
                .containsOnly(set.at("/spec/template/metadata/labels"));
    }

    @Test
    void eachVolumeIsAClaimThatIsMountedWhereTheHubWrites() {
        assertThat(set.at("/spec/volumeClaimTemplates").findValuesAsText("name"))
                .containsExactlyElementsOf(VOLUMES);
        Map<String, String> mounts = texts(container.path("volumeMounts"), "name", "mountPath");
        for (String volume : VOLUMES) {
            assertThat(mounts.get(volume)).isEqualTo(option("--" + volume + "-volume"));
        }
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(mounts).containsEntry("tmp", "/tmp").hasSize(4);
    }

    private static Map<String, String> texts(JsonNode list, String key, String value) {
        Map<String, String> texts = new TreeMap<>();
        list.forEach(one -> texts.put(one.path(key).asText(), one.path(value).asText()));
        return texts;
    }

    /** The manifest, the chart and the page name the image that the release makes, in the version of the poms. */
    @Test
    void theImageHasOneNameAndOneVersion() throws IOException {
        String tagged = container.path("image").asText();
        String image = tagged.substring(0, tagged.indexOf(':'));
        String version = tagged.substring(tagged.indexOf(':') + 1);
        assertThat(text("src/release/Image.java").replace("\" + kind + \"", "server"))
                .contains("(\"" + image + ":\" + version)");
        assertThat(text("pom.xml")).contains("<revision>" + version + "</revision>");
        assertThat(text("docs/ops/helm/hubmark/Chart.yaml"))
                .contains("\nversion: " + version + "\n", "\nappVersion: \"" + version + "\"\n");
        assertThat(text("docs/ops/helm/hubmark/values.yaml"))
                .contains("\n  repository: " + image + "\n", "\n  tag: \"\"\n");
        // A number in the page would be that of an earlier version soon.
        assertThat(text("docs/installing.md"))
                .contains(" " + image + ":VERSION ")
                .doesNotContainPattern("hubmark[-/:_a-z]*[0-9]+[.][0-9]+");
    }

    /** SIGKILL would lose no mail; but the next start would have to read the log. */
    @Test
    void aHubHasTheTimeThatItMayTakeToEnd() throws IOException {
        String drain = option("--set=hub.drain-time");
        long preStop = container.at("/lifecycle/preStop/sleep/seconds").asLong();
        assertThat(preStop).isPositive();
        assertThat(Duration.ofSeconds(pod.path("terminationGracePeriodSeconds").asLong()))
                .isGreaterThanOrEqualTo(
                        CLOSING_MAX.plusSeconds(preStop).plus(Durations.parse(drain)));

        String unit = text("docs/ops/hubmark.service");
        String stop = unit.replaceFirst("(?s).*\nTimeoutStopSec=(\\d+)\n.*", "$1");
        assertThat(Duration.ofSeconds(Long.parseLong(stop)))
                .isGreaterThanOrEqualTo(CLOSING_MAX.plusSeconds(10));
        assertThat(unit).contains("KillSignal=SIGTERM");
    }
}
