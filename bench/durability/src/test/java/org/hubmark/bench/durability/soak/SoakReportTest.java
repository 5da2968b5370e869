package org.hubmark.bench.durability.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves what lines of soaks add up to, and that different store formats are never added up. */
class SoakReportTest {
    private static final List<HistoryLine> LINES = List.of(
            Lines.kept("3", "kill", "synced", 1, 4),
            Lines.kept("3", "kill", "synced", 2, 3),
            Lines.line("3", "simulated", "synced", 1, 100, 2400, 0, true, List.of()),
            Lines.line("3", "simulated", "none", 1, 50, 1200, 9, true, List.of()),
            Lines.kept("3", "power", "synced", 1, 8),
            Lines.kept("3", "power", "periodic=10ms", 1, 8));

    @Test
    void eachKindInEachClassHasItsSum() {
        assertThat(SoakText.of(SoakReport.of(LINES)))
                .containsExactly("""
                Store format 3, from 2026-11-27 17:10 UTC to 2026-11-27 17:10 UTC:

                - commit 0123456789ab: 154 histories
                - 2 cores of a CPU, 8 GB, an OS, kernel 6.1, a JDK, ext4, 2 side by side: 154 histories

                | kind      | class         | histories | crashes | acknowledged | lost | corrupted | duplicated | loss at most (95 %) | recovery max, ms | kept |
                |-----------|---------------|----------:|--------:|-------------:|-----:|----------:|-----------:|--------------------:|-----------------:|-----:|
                | simulated | synced        |       100 |    2400 |        24000 |    0 |         0 |          2 |              0.13 % |               60 |  yes |
                | simulated | none          |        50 |    1200 |        12000 |    9 |         0 |          2 |              0.39 % |               60 |  yes |
                | kill      | synced        |         2 |       7 |           70 |    0 |         0 |          4 |                43 % |               60 |  yes |
                | power     | synced        |         1 |       8 |           80 |    0 |         0 |          2 |                38 % |               60 |  yes |
                | power     | periodic=10ms |         1 |       8 |           80 |    0 |         0 |          2 |                38 % |               60 |  yes |
                | all real  | synced        |         3 |      15 |          150 |    0 |         0 |          6 |                20 % |               60 |  yes |
                | all real  | periodic=10ms |         1 |       8 |           80 |    0 |         0 |          2 |                38 % |               60 |  yes |

                | kind      | seconds a crash | devices | start | load | copy | check | rest |
                |-----------|----------------:|--------:|------:|-----:|-----:|------:|-----:|
                | kill      |            1.89 |    0.11 |  0.67 | 0.44 | 0.22 |  0.33 | 0.11 |
                | power     |            0.94 |    0.06 |  0.33 | 0.22 | 0.11 |  0.17 | 0.06 |
                | simulated |            0.00 |    0.00 |  0.00 | 0.00 | 0.00 |  0.00 | 0.00 |""".lines().toArray(String[]::new));
    }

    @Test
    void formatsStandApart() {
        SoakReport report = SoakReport.of(List.of(
                Lines.kept("3", "kill", "synced", 1, 4), Lines.kept("4", "kill", "synced", 2, 5)));
        assertThat(report.formats()).hasSize(2);
        assertThat(report.formats())
                .flatExtracting(SoakReport.Format::kinds)
                .extracting(sum -> sum.counts().crashes())
                .containsExactly(4L, 5L);
        assertThat(SoakText.of(report))
                .filteredOn(line -> line.startsWith("Store format"))
                .hasSize(2);
    }

    @Test
    void whatBrokeAPromiseIsNamedAndWhatHasNoVerdictIsNotAddedUp() {
        SoakReport report = SoakReport.of(List.of(
                Lines.line("3", "kill", "synced", 1, 1, 4, 2, false, List.of("two lost")),
                Lines.line("3", "kill", "synced", 2, 2, 4, 0, null, List.of("no device"))));
        assertThat(report.promiseKept()).isFalse();
        SoakReport.Sum sum = report.formats().getFirst().kinds().getFirst();
        assertThat(sum.histories()).isOne();
        assertThat(sum.counts().crashes()).isEqualTo(4);
        assertThat(sum.promiseKept()).isFalse();
        assertThat(sum.lossChanceMethod()).isEqualTo("exact binomial");
        // Clopper and Pearson, one of four: the root of P(X <= 1) = 0.05.
        assertThat(sum.lossChanceUpperBound()).isBetween(0.7513, 0.7515);
        assertThat(SoakText.of(report))
                .contains("Promises broken (1):", "- two lost")
                .contains("Histories without a verdict (1):", "- no device");
    }

    @Test
    void aHistoryIsNotCountedTwice() {
        HistoryLine block =
                Lines.line("3", "simulated", "synced", 1, 100, 2400, 0, true, List.of());
        HistoryLine within = Lines.kept("3", "simulated", "synced", 100, 24);
        assertThatThrownBy(() -> SoakReport.of(List.of(within, block)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("seed 100 of simulated, synced");
    }

    @Test
    void itsJsonHasTheKeysOfDurabilityJson() {
        assertThat(JsonFile.text(SoakReport.of(LINES.subList(0, 1))))
                .contains(
                        "\"store_format\" : \"3\"",
                        "\"crashes\" : 4",
                        "\"acknowledged_msgs\" : 40",
                        "\"lost_msgs\" : 0",
                        "\"loss_chance_upper_bound\" : 0.75",
                        "\"loss_chance_method\" : \"rule of three\"",
                        "\"promise_kept\" : true");
    }
}
