package org.hubmark.bench.measure.builds;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.measure.builds.BuildsResult.CaseResult;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is written of rounds that stay the same stays the same: the files under golden. */
class GoldenTest {
    @Test
    void builds() throws IOException {
        List<Build> builds = List.of(
                new Build("A", "x", "1111", "the first", Path.of("/x")),
                new Build("B", "y", null, null, Path.of("/y")));
        List<List<Round>> rounds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rounds.add(List.of(
                    new Round(
                            Map.of(RoundFigure.ACCEPTED, 5000.5 + i, RoundFigure.CPU, 61.25 + i),
                            40,
                            List.of()),
                    new Round(
                            Map.of(RoundFigure.ACCEPTED, 4700.5 + 2 * i, RoundFigure.CPU, 66.5),
                            41,
                            List.of())));
        }
        BuildsResult result = new BuildsResult(
                BuildsResult.SCHEMA,
                new Tool("0.1", "abc"),
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:10:00Z",
                "./hubmark compare --builds x,y",
                new Environment(
                        new Environment.Processor("Made CPU", 4, 4, 2100.0, "made"),
                        8_000_000_000L,
                        new Environment.Software("os", "6.1", "25", null),
                        List.of(),
                        null),
                Map.of("rounds", 5),
                builds,
                List.of(CaseResult.of(new LoadCase(57_000, Transfer.DATA), builds, rounds)),
                List.of("the machine was busy"),
                true,
                List.of());
        assertThat(result.json()).isEqualTo(golden("builds.json"));
        assertThat(BuildsText.markdown(result)).isEqualTo(golden("builds.md"));
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
