package org.hubmark.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/** Proves what a campaign of crashes says of a server, and what it is not taken to say. */
class CrashEvidenceTest {
    @TempDir
    Path folder;

    @Test
    void aServerThatKeptAllThroughEnoughPowerLossesIsSafe() throws Exception {
        Path file = file(verdict("kill", 20, 0, true) + "," + verdict("power", 20, 0, true));
        Safety safety = CrashEvidence.read(file);
        assertThat(safety.unsafe()).isFalse();
        assertThat(safety.unsafeReason()).isNull();
        SafetyEvidence evidence = Objects.requireNonNull(safety.safetyEvidence());
        assertThat(evidence.kind()).isEqualTo("durability");
        assertThat(evidence.words())
                .isEqualTo("'mta {port} {data}', class synced, kind power: 0 of 900 acknowledged"
                        + " messages were lost and 0 came back changed, in 20 crashes; a power loss"
                        + " takes mail in less than 15.0% of cases (95%), where the devices keep what"
                        + " was flushed");
        assertThat(evidence.file()).isEqualTo("durability.json");
        assertThat(evidence.sha256()).hasSize(64);
    }

    @Test
    void aBrokenPromiseIsUnsafeWhateverElseWasKept() throws Exception {
        Path file = file(verdict("kill", 20, 3, false) + "," + verdict("power", 20, 0, true));
        Safety safety = CrashEvidence.read(file);
        assertThat(safety.unsafe()).isTrue();
        assertThat(safety.unsafeReason())
                .contains("kind kill: 3 of 900 acknowledged messages were lost");
        assertThat(safety.safetyEvidence()).isNotNull();
    }

    @Test
    void aMediumThatLiesIsNoFaultOfTheServer() throws Exception {
        Path file = file(verdict("rot", 20, 3, false) + "," + verdict("power", 20, 0, true));
        assertThat(CrashEvidence.read(file).unsafe()).isFalse();
    }

    @Test
    void withoutPowerLossesOrWithFewNothingIsKnown() throws Exception {
        Safety killed = CrashEvidence.read(file(verdict("kill", 20, 0, true)));
        assertThat(killed.unsafe()).isNull();
        assertThat(killed.safetyEvidence()).isNotNull();
        Safety few = CrashEvidence.read(file(verdict("power", 10, 0, true)));
        assertThat(few.unsafe()).isNull();
        assertThat(Objects.requireNonNull(few.safetyEvidence()).words())
                .endsWith("in 10 crashes; too few to tell, it takes 11");
    }

    @Test
    void otherFilesAreRefused() throws Exception {
        assertThatThrownBy(() -> CrashEvidence.read(folder.resolve("none.json")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none.json can't be read");
        assertThatThrownBy(() -> CrashEvidence.read(write("{")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a durability.json");
        assertThatThrownBy(() -> CrashEvidence.read(write("{\"scenarios\": []}")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no verdict in class synced");
        String control = "{\"flushes_ignored\": true, \"verdicts\": ["
                + verdict("power", 20, 3, false) + "]}";
        assertThatThrownBy(() -> CrashEvidence.read(write(control)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a control");
        String none = verdict("power", 20, 0, true).replace("synced", "none");
        assertThatThrownBy(() -> CrashEvidence.read(file(none)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no verdict in class synced");
    }

    private Path file(String verdicts) throws IOException {
        return write("{\"verdicts\": [" + verdicts + "], \"skipped\": []}");
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("durability.json"), text);
    }

    private static String verdict(String kind, int crashes, int lost, boolean kept) {
        return String.format(Locale.ROOT, """
                {"server": "mta {port} {data}", "durability": "synced", "kind": "%s", "crashes": %d,
                 "acknowledged_msgs": 900, "lost_msgs": %d, "corrupted_msgs": 0,
                 "promise_kept": %s, "loss_chance_upper_bound": 0.15}""", kind, crashes, lost, kept);
    }
}
