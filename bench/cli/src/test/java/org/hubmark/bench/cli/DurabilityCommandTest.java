package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.durability.Campaign;
import org.hubmark.bench.durability.CrashKind;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.machine.Machine;
import org.hubmark.core.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Proves that the command kills a hub, and says in the form of its results file that it keeps its promise.
 * Each run has a seed of its own, which a failure prints. The other kinds of crashes are tried by
 * DurabilityCampaignTest.
 */
@Timeout(300)
class DurabilityCommandTest {
    /** One more than a history has. */
    private static final int CRASHES = 5;

    @TempDir
    Path folder;

    @Test
    void aHubThatIsKilledKeepsItsPromise() throws Exception {
        CommandProcess.Ended ended = CommandProcess.run(
                folder,
                "durability",
                "--output=out",
                "--kinds=kill",
                "--class=synced",
                "--crashes=1",
                CommandProcess.SEED);
        requireDone(ended);
        assertThat(ended.out())
                .anyMatch(line -> line.matches(" *Kind +kill"))
                .anyMatch(line -> line.matches(" *Crashes +1"))
                .contains("Every promise was kept, in 1 crash");
        requireKept(folder.resolve("out"), 1, 1);
        String out = folder.resolve("out").toString();
        CommandProcess.Ended report = CommandInJvm.run("report", out);
        requireDone(report);
        assertThat(report.printed()).contains("Every promise was kept, in 1 crash");
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
        CommandProcess.Ended compared =
                CommandInJvm.run("compare", "--fail-if-slower=5%", out, out);
        requireDone(compared);
        assertThat(compared.printed()).contains("Promise kept").contains("equivalent");
    }

    private static void requireDone(CommandProcess.Ended ended) {
        assertThat(ended.exitCode()).as("%s%n%s", ended.out(), ended.errors()).isZero();
    }

    /** The results file has so many verdicts, each about so many crashes, and each promise was kept. */
    static void requireKept(Path results, int count, int crashes) throws IOException {
        JsonNode verdicts =
                SchemaCheck.check(results.resolve("durability.json")).get("verdicts");
        assertThat(verdicts).hasSize(count);
        for (JsonNode verdict : verdicts) {
            assertThat(verdict.get("crashes").asInt()).isEqualTo(crashes);
            assertThat(verdict.get("acknowledged_msgs").asInt()).isPositive();
            assertThat(verdict.get("lost_msgs").asInt()).isZero();
            assertThat(verdict.get("loss_window_ms").isNull()).isTrue();
            assertThat(verdict.get("recovery_ms").get("p50").asDouble()).isPositive();
            assertThat(verdict.get("promise_kept").asBoolean()).isTrue();
        }
        // Nothing is left of what was fine.
        assertThat(results).isDirectoryNotContaining(Files::isDirectory);
    }

    @Test
    void anInterruptedCampaignGoesOn() throws Exception {
        Document left = killed(note -> Thread.currentThread().interrupt());
        assertThat(left.exitCode()).isEqualTo(130);
        assertThat(crashes(left)).isBetween(1.0, CRASHES - 1.0);
        Document found = killed(note -> {});
        assertThat(found.exitCode()).isZero();
        assertThat(crashes(found)).isEqualTo(CRASHES);
        assertThat(Long.parseLong(found.fact(CrashResult.NEXT_SEED)))
                .isGreaterThan(Long.parseLong(left.fact(CrashResult.NEXT_SEED)));
    }

    private Document killed(Consumer<String> notes) throws Exception {
        return StudyRun.of(
                new Campaign(
                        new Campaign.Request(
                                List.of(new Durability.Synced()),
                                List.of(CrashKind.KILL),
                                null,
                                CRASHES,
                                5,
                                false,
                                null,
                                null),
                        Main.PROGRAM),
                new Context.Request(
                        folder,
                        Main.PROGRAM.tool(),
                        "",
                        Map.of(),
                        Machine.inspect(List.of()),
                        Clock.SYSTEM,
                        notes::accept,
                        List::of));
    }

    private static double crashes(Document found) {
        return found.table(CrashResult.VERDICTS)
                .rows()
                .getFirst()
                .repeats()
                .getFirst()
                .count(CrashResult.CRASHES);
    }
}
