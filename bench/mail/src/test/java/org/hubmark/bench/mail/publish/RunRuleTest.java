package org.hubmark.bench.mail.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proves that a result that keeps all rules is publishable, that each rule alone can keep it from that,
 * and that the page lists the same rules.
 */
class RunRuleTest {
    @TempDir
    Path folder;

    @Test
    void thePageListsTheRulesThatAreJudged() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("hubmark.root")).resolve("docs/run-rules.md"));
        Matcher row = Pattern.compile("(?m)^\\| \\*\\*(.+?)\\.\\*\\*").matcher(page);
        List<String> listed = new ArrayList<>();
        while (row.find()) {
            listed.add(row.group(1));
        }
        assertThat(RunRule.values()).extracting(RunRule::title).isEqualTo(listed);
    }

    @Test
    void whatKeepsAllRulesIsPublishable() throws IOException {
        Publication publication = judged(results("", ""));
        assertThat(publication.broken()).isEmpty();
        assertThat(publication.publishable()).isTrue();
        assertThat(publication.rules()).hasSize(RunRule.values().length);
    }

    /** What stands in the scenario is replaced, in the file and everywhere in it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNDISTURBED | \"steal_percent\":0.1 | \"steal_percent\":2.1",
                "UNDISTURBED | \"foreign_cpu_percent\":0.4 | \"foreign_cpu_percent\":5.1",
                "UNDISTURBED | \"foreign_cpu_percent\":0.4 | \"foreign_cpu_percent\":null",
                "DURATION | \"measured_s\":60.5 | \"measured_s\":59.9",
                "STEADY | \"steady\":true | \"steady\":false",
                "STEADY | \"steady\":true | \"steady\":null",
                "RATE | \"p99\":40.5 | \"p99\":250.5",
                "RATE | \"asked_rate\":\"max-sustained\" | \"asked_rate\":\"max\"",
                "LATENCY | \"latency_at\":{\"percent\":70 | \"latency_was\":{\"percent\":70",
                "AUDIT | \"share\":\"all\" | \"share\":\"sampled\"",
                "AUDIT | \"missing_msgs\":0 | \"missing_msgs\":1",
                "SAFE | \"unsafe\":false | \"unsafe\":true",
                "SAFE | \"unsafe\":false | \"unsafe\":null",
                "VALID | \"valid\":true,\"invalid_reasons\":[] | \"valid\":false,\"invalid_reasons\":[\"lost\"]",
            })
    void aRuleThatIsNotKeptKeepsItBack(RunRule rule, String there, String instead)
            throws IOException {
        assertBroken(rule, results(there, instead));
    }

    @Test
    void fourRepeatsAreTooFew() throws IOException {
        assertBroken(RunRule.REPEATS, results(MadeScenario.of(4, 0), "", ""));
    }

    @Test
    void aRateThatRisesHasATrend() throws IOException {
        assertBroken(RunRule.TREND, results(MadeScenario.of(5, 50), "", ""));
    }

    @Test
    void aDirtyBuildIsNoNamedOne() throws IOException {
        assertBroken(
                RunRule.CLEAN_BUILD, results("\"commit\":\"abc\"", "\"commit\":\"abc-dirty\""));
        assertBroken(RunRule.CLEAN_BUILD, results("\"commit\":\"abc\"", "\"commit\":null"));
        assertBroken(
                RunRule.UNDISTURBED,
                results("\"shared-machine\":false", "\"shared-machine\":true"));
    }

    private static void assertBroken(RunRule rule, Results results) {
        Publication publication = judged(results);
        assertThat(publication.publishable()).isFalse();
        assertThat(publication.broken()).extracting(Publication.Rule::rule).contains(rule.title());
    }

    private static Publication judged(Results results) {
        return RunRule.judge(results);
    }

    private Results results(String there, String instead) throws IOException {
        return results(MadeScenario.of(5, 0), there, instead);
    }

    /** A result that keeps all rules, but for what is replaced in the file. */
    private Results results(ObjectNode scenario, String there, String instead) throws IOException {
        List<VolumeDisclosure> volumes = new ArrayList<>();
        for (String role : List.of("log", "queue", "tracking")) {
            volumes.add(new VolumeDisclosure(
                    role,
                    "/" + role.charAt(0),
                    "vda",
                    "ext4",
                    "rw",
                    new VolumeDisclosure.Disk("write back", false, "none"),
                    1L,
                    null,
                    new VolumeDisclosure.Sync("safe", "It is."),
                    null));
        }
        Environment environment = new Environment(
                new Environment.Processor("cpu", 2, 2, 2000.0, "perf"),
                1L,
                new Environment.Software("os", "6", "25", null),
                volumes,
                null);
        Document bare = MadeResults.results(
                        new Provenance(
                                new Tool("0.1", "abc"),
                                "2026-01-01T00:00:00Z",
                                "2026-01-01T00:30:00Z",
                                "./hubmark run --publish",
                                Map.of("latency-limit", "250ms", "shared-machine", false),
                                environment),
                        List.of())
                .document()
                .with(MailDocument.PUBLISH, Publication.UNJUDGED);
        Path file = folder.resolve("results.json");
        Files.writeString(file, DocumentFile.json(bare));
        ObjectNode tree = (ObjectNode) MadeScenario.MAPPER.readTree(file.toFile());
        ((ObjectNode) tree.path("environment"))
                .putObject("disclosure")
                .put("server_on_this_machine", true);
        tree.putArray("scenarios").add(scenario);
        String text = MadeScenario.MAPPER.writeValueAsString(tree);
        if (!there.isEmpty()) {
            assertThat(text).contains(there);
            text = text.replace(there, instead);
        }
        Files.writeString(file, text);
        return MadeResults.read(file);
    }
}
