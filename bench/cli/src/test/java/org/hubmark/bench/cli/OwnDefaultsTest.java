package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine.ParseResult;

import java.util.Map;

/** Proves which defaults hang on other options, and that they take the place of nothing that is given. */
class OwnDefaultsTest {
    @Test
    void aRoughAnswerTakesLittleTime() {
        assertThat(settings("run", "--quick", "--duration=1s", "--no-ceilings"))
                .containsAllEntriesOf(Map.of(
                        "sizes", "57KB",
                        "repeat", 2,
                        "duration", "1s",
                        "warmup", "2s",
                        "warmup-max", "5s",
                        "driver-warmup", "5s",
                        "latency-at", 0.0,
                        "no-ceilings", true));
        assertThat(settings("run", "--quick")).containsEntry("no-ceilings", true);
        assertThat(settings("run"))
                .containsAllEntriesOf(Map.of("repeat", 3, "warmup", "3s", "no-ceilings", false));
    }

    @Test
    void publishingTakesWhatTheRulesNeed() {
        assertThat(settings("run", "--publish", "--sizes=4KB"))
                .containsAllEntriesOf(Map.of(
                        "publish", true,
                        "rate", "max-sustained",
                        "latency-limit", "50ms",
                        "repeat", 5,
                        "duration", "1m",
                        "warmup", "30s",
                        "warmup-max", "2m",
                        "latency-at", 70.0,
                        "audit", "all",
                        "sizes", "4KB"));
        assertThat(settings("run", "--rate", "500", "--publish", "--duration=18m", "--repeat=7"))
                .containsAllEntriesOf(Map.of("rate", 500L, "duration", "18m", "repeat", 7));
        assertThat(settings("matrix", "--publish", "--layouts=one,three"))
                .containsAllEntriesOf(
                        Map.of("rate", "max-sustained", "latency-at", 70.0, "deliver", "discard"))
                .doesNotContainKey("audit");
    }

    @Test
    void aWordIsKeptAsItIsCalled() {
        assertThat(settings("run", "--intake=DISCARD", "--transfer=Bdat"))
                .containsAllEntriesOf(Map.of("intake", "discard", "transfer", "bdat"));
        assertThat(settings("run")).containsEntry("intake", "store");
    }

    /** Mail that waits is what layouts and deep queues are compared by. */
    @Test
    void aMatrixTakesWhatItsCellsNeed() {
        assertThat(settings("matrix", "--layouts=one,apart"))
                .containsAllEntriesOf(Map.of(
                        "deliver", "hold", "checkpoint-depth", "16MiB", "volume-size", "8GB"));
        assertThat(settings("matrix", "--layouts=one", "--deliver=hold"))
                .containsAllEntriesOf(Map.of("checkpoint-depth", "512MiB", "volume-size", "8GB"));
        assertThat(settings("matrix", "--preset=hub-study", "--warmup=1s"))
                .containsAllEntriesOf(Map.of(
                        "duration", "10s",
                        "warmup", "1s",
                        "repeat", 1,
                        "deliver", "discard",
                        "volume-size", "2GB"));
        assertThat(settings("matrix", "--preset=hub-study", "--publish"))
                .containsAllEntriesOf(Map.of("duration", "1m", "repeat", 5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --repeat=1", "serve --help", "matrix --preset=hub-study --help"})
    void whatAsksForNothingElseIsReadOnce(String arguments) {
        ParseResult first = Main.commandLine().parseArgs(arguments.split(" ", -1));
        assertThat(completed(first)).isSameAs(first);
    }

    private static Map<String, Object> settings(String... arguments) {
        ParseResult first = Main.commandLine(arguments).parseArgs(arguments);
        return Outcomes.settings(completed(first).subcommand().commandSpec());
    }

    private static ParseResult completed(ParseResult first) {
        return ((OwnDefaults) first.commandSpec().defaultValueProvider()).completed(first);
    }
}
