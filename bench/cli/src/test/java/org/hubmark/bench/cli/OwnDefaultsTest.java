package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine.ParseResult;

import java.util.Map;
import java.util.TreeMap;

/** Proves which defaults hang on other options, and that they take the place of nothing that is given. */
class OwnDefaultsTest {
    /** Mail that waits is what layouts and deep queues are compared by. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run                                      | repeat=3 warmup=3s no-ceilings=false intake=store
            run --intake=DISCARD --transfer=Bdat     | intake=discard transfer=bdat
            run --quick                              | no-ceilings=true
            run --quick --duration=1s --no-ceilings  | sizes=57KB repeat=2 duration=1s warmup=2s warmup-max=5s driver-warmup=5s latency-at=0.0 no-ceilings=true
            run --publish --sizes=4KB                | publish=true rate=max-sustained latency-limit=50ms repeat=5 duration=1m warmup=30s warmup-max=2m latency-at=70.0 audit=all sizes=4KB
            run --rate 500 --publish --duration=18m --repeat=7 | rate=500 duration=18m repeat=7
            matrix --publish --layouts=one,three     | rate=max-sustained latency-at=70.0 deliver=discard
            matrix --layouts=one,apart               | deliver=hold checkpoint-depth=16MiB volume-size=8GB
            matrix --layouts=one --deliver=hold      | checkpoint-depth=512MiB volume-size=8GB
            matrix --preset=hub-study --warmup=1s    | duration=10s warmup=1s repeat=1 deliver=discard volume-size=2GB
            matrix --preset=hub-study --publish      | duration=1m repeat=5
            """)
    void hangOnOtherOptions(String arguments, String expected) {
        String[] words = arguments.split(" ", -1);
        ParseResult first = Main.commandLine(words).parseArgs(words);
        ParseResult completed =
                ((OwnDefaults) first.commandSpec().defaultValueProvider()).completed(first);
        Map<String, String> settings = new TreeMap<>();
        Outcomes.settings(completed.subcommand().commandSpec())
                .forEach((key, value) -> settings.put(key, String.valueOf(value)));
        for (String one : expected.split(" ", -1)) {
            String[] entry = one.split("=", -1);
            assertThat(settings).containsEntry(entry[0], entry[1]);
        }
        // Of a matrix no message is audited.
        assertThat(settings.containsKey("audit")).isEqualTo(words[0].equals("run"));
    }
}
