package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.durability.ClusterCampaign.Counts;
import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Repeat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What is judged of a kind of fault, by a ledger written by hand. */
class ClusterCampaignTest {
    @TempDir
    Path folder;

    @AutoClose
    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger(folder.resolve("ledger.csv"), 7);
    }

    /** Mail of a hub that does not start again is in the queue, or it is not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 3 | 0 | | 0 | 2 |",
                "0 | 0 | | 1 | 0 | 1 acknowledged messages were not delivered: none came for 60 s",
                "0 | 0 | the hub did not start | NaN | 0 | the hub did not start",
                "1 | 2 | | 0 | 0 | 2 messages were delivered with another content",
            })
    void whatOfEachMessageWasDelivered(
            String deliveries,
            int otherwise,
            @Nullable String failure,
            Double lost,
            double twice,
            @Nullable String broken)
            throws IOException {
        for (String times : deliveries.split(" ", -1)) {
            MadeEntries.acknowledged(ledger).delivered = Integer.parseInt(times);
        }
        Repeat verdict = ClusterCampaign.judge(
                2,
                new Counts(4, 5, otherwise),
                ledger,
                Stream.ofNullable(failure).toList());
        assertThat(verdict.count(CrashResult.CRASHES)).isEqualTo(2);
        assertThat(verdict.count(CrashResult.ACKNOWLEDGED)).isEqualTo(4);
        assertThat(verdict.count(ClusterCrashResult.REFUSED)).isEqualTo(5);
        assertThat(verdict.count(CrashResult.LOST)).isEqualTo(lost);
        assertThat(verdict.count(ClusterCrashResult.DOUBLE)).isEqualTo(twice);
        assertThat(verdict.texts(CrashResult.FAILURES))
                .isEqualTo(Stream.ofNullable(broken).toList());
        assertThat(verdict.count(ClusterCrashResult.BROKEN)).isEqualTo(broken == null ? 0 : 1);
    }
}
