package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves which options the mode sets: those that are given stay, and are checked later. */
class PublishOptionsTest {
    @Test
    void setsWhatTheRulesNeed() {
        assertThat(expanded("run", "--publish", "--sizes=4KB"))
                .containsExactly(
                        "run",
                        "--publish",
                        "--sizes=4KB",
                        "--rate=max-sustained",
                        "--latency-limit=50ms",
                        "--repeat=5",
                        "--duration=1m",
                        "--warmup=30s",
                        "--warmup-max=2m",
                        "--latency-at=70%",
                        "--audit=all");
        assertThat(expanded("run", "--publish", "standard", "--rate", "500", "--repeat=7"))
                .contains("--duration=18m")
                .doesNotContain("--rate=max-sustained", "--repeat=5");
    }

    @Test
    void aMatrixHasNoAuditToSetAndAPresetItsOwnRates() {
        assertThat(expanded("matrix", "--publish"))
                .contains("--rate=max-sustained", "--latency-at=70%")
                .doesNotContain("--audit=all");
        assertThat(expanded("matrix", "--preset=hub-study", "--publish"))
                .contains("--repeat=5")
                .doesNotContain("--rate=max-sustained");
    }

    @Test
    void leavesAllElseAlone() {
        for (String[] arguments : List.of(
                new String[] {},
                new String[] {"run", "--repeat=1"},
                new String[] {"run", "--publish=long"},
                new String[] {"serve", "--publish"},
                new String[] {"--help"})) {
            assertThat(expanded(arguments)).containsExactly(arguments);
        }
    }

    private static String[] expanded(String... arguments) {
        return PublishOptions.expand(Main.commandLine(arguments), arguments);
    }
}
