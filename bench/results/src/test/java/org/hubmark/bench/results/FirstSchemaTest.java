package org.hubmark.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.results.compare.Comparison;
import org.hubmark.bench.results.compare.Rule;
import org.hubmark.bench.results.report.Report;
import org.hubmark.bench.results.report.SelfCheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Proves that results of schema 1 still mean what they meant: two folders that the last version before
 * schema 2 wrote, a run at a rate that was searched, and a matrix on emulated disks, are read, drawn,
 * checked against their raw files and compared.
 */
class FirstSchemaTest {
    private static final Path RECORDED =
            Path.of("src/test/resources/org/hubmark/bench/results/schema-1");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"run,1", "matrix,6"})
    void areDrawnAndChecked(String name, int scenarios) throws IOException {
        Path copy = copied(name);
        Results results = Results.read(copy.resolve("results.json"));
        assertThat(results.schema()).isEqualTo(Results.SCHEMA);
        assertThat(results.scenarios()).hasSize(scenarios);
        SelfCheck check = Report.write(results, copy);
        assertThat(check.mismatches()).isEmpty();
        assertThat(Files.readString(copy.resolve("report.md"))).contains("Flush at a sync");
    }

    @Test
    void areCompared() throws IOException {
        Results results = Results.read(copied("matrix").resolve("results.json"));
        Comparison comparison =
                Comparison.of(results, results, new Rule(0.02, null, 0.05, Set.of()));
        assertThat(comparison.pairs()).hasSize(6);
    }

    /** A run saw the kernel's word, write back, and called that on; the matrix's on was the cache. */
    @Test
    void theWriteCacheBecomesWhatIsDoneWithAFlush() throws IOException {
        Results run = Results.read(copied("run").resolve("results.json"));
        assertThat(run.scenarios().getFirst().conditions().get(Condition.FLUSH)).isEqualTo("sent");
        Results matrix = Results.read(copied("matrix").resolve("results.json"));
        assertThat(matrix.scenarios()).allSatisfy(scenario -> {
            boolean cached = scenario.id().contains("cache-on");
            assertThat(scenario.conditions().get(Condition.FLUSH))
                    .isEqualTo(cached ? "suppressed" : "sent");
            assertThat(scenario.conditions().safety().unsafe()).isEqualTo(cached);
        });
        // Only what was measured with the cache on had three sizes that were valid.
        assertThat(matrix.costModels())
                .isNotEmpty()
                .allMatch(model -> "suppressed".equals(model.where().get(Condition.FLUSH)));
    }

    @ParameterizedTest
    @CsvSource({
        "on,  write back,    ,              sent",
        "off, write through, ,              suppressed",
        "on,  write back,    write through, suppressed",
        "off, write back,    write through, sent",
        "on,  ,              ,              suppressed",
        ",    write back,    ,              ",
    })
    void aRealDeviceIsJudgedByTheKernelsWord(
            @Nullable String cache,
            @Nullable String first,
            @Nullable String second,
            @Nullable String flush)
            throws IOException {
        ObjectNode tree = new ObjectMapper().createObjectNode();
        var volumes = tree.putObject("environment").putArray("volumes");
        for (String state : new @Nullable String[] {first, second}) {
            if (state != null) {
                volumes.addObject().put("role", "log").put("write_cache", state);
            }
        }
        tree.putArray("scenarios").addObject().put("device_write_cache", cache);
        FirstSchema.upgrade(tree);
        assertThat(tree.at("/scenarios/0/flush").asText(null)).isEqualTo(flush);
        assertThat(tree.at("/scenarios/0").has("device_write_cache")).isFalse();
    }

    @Test
    void aRateThatWasSearchedIsNoSetting() throws IOException {
        JsonNode before = new ObjectMapper()
                .readTree(RECORDED.resolve("run/results.json").toFile())
                .path("settings");
        Results results = Results.read(copied("run").resolve("results.json"));
        SustainedRate rate = results.scenarios().getFirst().sustainedRate();
        assertThat(rate)
                .isEqualTo(new SustainedRate(
                        before.path("sustained_rate_msgs_per_s.4kb").asDouble(),
                        before.path("sustained_rate_reason.4kb").asText(),
                        List.of()));
        assertThat(results.settings().keySet()).noneMatch(key -> key.startsWith("sustained"));
    }

    @Test
    void theFirstFilesDidNotSayWhatIsUnsafe() {
        ObjectNode tree = new ObjectMapper().createObjectNode();
        tree.putArray("scenarios").addObject().put("durability", "none").put("intake", "store");
        FirstSchema.upgrade(tree);
        assertThat(tree.at("/scenarios/0/unsafe").asBoolean()).isTrue();
        assertThat(tree.at("/scenarios/0/unsafe_reason").asText()).contains("durability none");
    }

    private Path copied(String name) throws IOException {
        Path copy = folder.resolve(name);
        Folders.copy(RECORDED.resolve(name), copy);
        return copy;
    }
}
