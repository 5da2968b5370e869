package org.hubmark.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** What is written of counts that stay the same stays the same: the files under golden. */
class GoldenTest {
    @Test
    void durability() throws IOException {
        Tally kept = new Tally("hub", new Durability.Synced(), Kind.KILL);
        for (int i = 0; i < 3; i++) {
            kept.crashed();
            kept.acknowledged(100);
            kept.recovered(1_234_567 + 100_000L * i);
        }
        Tally broken = new Tally("hub", new Durability.Periodic(Duration.ofMillis(10)), Kind.EIO);
        broken.crashed();
        broken.acknowledged(7);
        broken.failed(42);
        Tally never = new Tally("hub", new Durability.None(), Kind.FULL);
        assertThat(Campaign.json(
                        List.of(kept.verdict(), broken.verdict(), never.verdict()),
                        List.of("full, none: not tried before the end"),
                        false))
                .isEqualTo(golden("durability.json"));
    }

    @Test
    void clusterCrash() throws IOException {
        List<ClusterVerdict.Fault> faults = List.of(
                new ClusterVerdict.Fault(120.5, List.of(100L, 0L, 90L)),
                new ClusterVerdict.Fault(80.25, List.of(70L)));
        ClusterVerdict verdict = new ClusterVerdict(
                "bookie", 2, 260, 3, 1, 0, 2, 0, 100.375, 120.5, true, List.of(), faults);
        ClusterCampaign.Skipped skipped =
                new ClusterCampaign.Skipped("broker", "it ended early", 0, 5, 0, List.of());
        assertThat(ClusterCampaign.json(7, List.of(verdict), List.of(skipped)))
                .isEqualTo(golden("cluster-crash.json"));
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
