package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.scale.result.ScaleOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Proves what report and compare do with the document of a study. */
class StudyDocumentsTest {
    @TempDir
    Path folder;

    /** Three runs with one host, in each of which some messages take long. */
    private record MadeStudy(int accepted, int slowMillis) implements Study {
        @Override
        public Kind kind() {
            return ScaleOut.KIND;
        }

        @Override
        public Document run(Context context) throws IOException, InterruptedException {
            context.fact(ScaleOut.SCALING, "weak");
            for (int run = 1; run <= 3; run++) {
                int number = run;
                context.repeat(
                        ScaleOut.POINTS, Map.of(ScaleOut.HOSTS, 1), run, () -> count(number));
            }
            return context.document();
        }

        private Repeat count(int run) {
            Histogram nanos = new Histogram(3);
            nanos.recordValueWithCount(1_000_000, 90);
            nanos.recordValueWithCount((slowMillis * 100L + run) * 10_000, 10);
            return Repeat.counted()
                    .name(ScaleOut.RUN, run)
                    .count(ScaleOut.MEASURED_NS, 1_000_000_000)
                    .count(ScaleOut.ACCEPTED, accepted + run)
                    .times(ScaleOut.SEND, nanos)
                    .parts(
                            ScaleOut.HOST_FIGURES,
                            List.of(Repeat.counted().name(ScaleOut.HOST, 1).made()))
                    .made();
        }
    }

    private Path measured(String name, int accepted, int slowMillis, int connections)
            throws Exception {
        Path made = Files.createDirectory(folder.resolve(name));
        Document found = StudyRun.of(
                new MadeStudy(accepted, slowMillis),
                new Context.Request(
                        made,
                        new Tool("1.0", null),
                        "./hubmark scale-out",
                        Map.of("connections", connections),
                        Machine.inspect(List.of()),
                        new FixedClock(Instant.EPOCH),
                        Progress.SILENT,
                        List::of));
        assertThat(found.exitCode()).isZero();
        return made;
    }

    private static Ended run(int exitCode, String command, String... arguments) throws Exception {
        Ended ended = CommandInJvm.run(command, List.of(arguments));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return ended;
    }

    @Test
    void reportDrawsTheFolderAgain() throws Exception {
        Path made = measured("a", 1000, 20, 32);
        Files.delete(made.resolve("report.md"));
        assertThat(run(0, "report", made.toString()).printed()).contains("Messages (1/s)");
        assertThat(made.resolve("report.md")).isNotEmptyFile();
        assertThat(run(0, "report", "--json", made + "/scale-out.json").printed())
                .startsWith("{")
                .contains("\"kind\" : \"scale-out\"");
        assertThat(run(0, "report", "--full", made.toString()).printed())
                .contains("Messages (1/s)", "This is not LoadGen's test");
    }

    @Test
    void aChangedFigureIsSaid() throws Exception {
        Path made = measured("a", 1000, 20, 32);
        Path file = made.resolve("scale-out.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"throughput_msgs_per_s\" : )", "$19"));
        assertThat(run(3, "report", made.toString()).complaint())
                .contains("self-check: scale-out.json, points 1, throughput_msgs_per_s: 9");
    }

    @Test
    void aWorseTailFailsAComparison() throws Exception {
        Path a = measured("a", 1000, 20, 32);
        Path b = measured("b", 1000, 40, 32);
        assertThat(run(0, "compare", a.toString(), b.toString()).printed())
                .contains("Send p99 (ms)")
                .contains("slower")
                .contains("equivalent");
        assertThat(run(1, "compare", "--fail-if-slower=5%", a.toString(), b.toString())
                        .complaint())
                .contains("Send p99 (ms): worse")
                .doesNotContain("Messages (1/s): worse");
        run(0, "compare", "--fail-if-slower=5%", b.toString(), a.toString());
    }

    @Test
    void anotherConditionIsNamedAndBlocks() throws Exception {
        Path a = measured("a", 1000, 20, 32);
        Path b = measured("b", 1000, 20, 16);
        assertThat(run(1, "compare", a.toString(), b.toString()).complaint())
                .contains("connections differs: 32 and 16")
                .contains("--across names what may differ");
        run(0, "compare", "--across=connections", a.toString(), b.toString());
    }
}
