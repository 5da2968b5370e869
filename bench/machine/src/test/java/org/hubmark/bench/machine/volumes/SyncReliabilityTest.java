package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.volumes.SyncReliability.Grade;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.util.List;

/** Proves by a table of volumes which syncs are taken to be honest, and why. */
class SyncReliabilityTest {
    @ParameterizedTest
    @CsvFileSource(
            files = "src/test/resources/syncs.csv",
            delimiter = '|',
            quoteCharacter = '`',
            numLinesToSkip = 1)
    void whatASyncIsWorth(ArgumentsAccessor row) {
        VolumeFacts facts = facts(
                row.getString(0),
                new VolumeFacts.Disk(
                        row.getString(1),
                        List.of(),
                        null,
                        row.getBoolean(4),
                        row.getBoolean(6),
                        false,
                        null,
                        row.getString(2),
                        null,
                        row.getString(5),
                        null),
                row.getBoolean(3),
                row.getString(7));
        SyncReliability made =
                SyncReliability.judge(facts, row.getDouble(8), row.getDouble(9), false);
        assertThat(made.verdict()).isEqualTo(row.get(10, Grade.class));
        assertThat(made.cacheAnswers()).isEqualTo(row.getBoolean(11));
        assertThat(made.reasons().toString()).contains(row.getString(12));
    }

    @Test
    void whatGoesWithTheMachineCanLoseAcknowledgedMail() {
        assertThat(facts("ext4", instanceStorage(true), true, null).danger())
                .isEqualTo("/v is on Instance Storage: its data is lost when the machine stops");
        assertThat(facts("ext4", instanceStorage(false), true, null).danger()).isNull();
    }

    private static VolumeFacts.Disk instanceStorage(boolean isEphemeral) {
        return new VolumeFacts.Disk(
                "nvme1n1",
                List.of(),
                "Instance Storage",
                false,
                true,
                isEphemeral,
                null,
                "write through",
                null,
                null,
                null);
    }

    private static VolumeFacts facts(
            String filesystem, VolumeFacts.Disk disk, boolean barriers, @Nullable String unknown) {
        return new VolumeFacts(
                "/v",
                new VolumeFacts.Mounted("/v", filesystem, "rw", barriers),
                disk,
                unknown,
                null,
                1,
                1,
                List.of(),
                List.of());
    }
}
