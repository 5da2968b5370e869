package org.hubmark.bench.measure.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.volumes.GroupWriter.Groups;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.LogGroups;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that the log device is asked with the writes that were really made, not with their mean, and
 * the loopback by the load of the scenario, as warm.
 */
class CeilingProbeTest {
    @TempDir
    Path folder;

    @Test
    void writesEachSizeAsOftenAsTheScenarioDid() {
        LogGroups small = new LogGroups(65_536, 900, 900, 900 * 61_440, 900);
        LogGroups large = new LogGroups(4 << 20, 100, 300, 100L * 3_000_000, 4_800);
        assertThat(CeilingProbe.writers(List.of(small, large)))
                .containsExactly(new Groups(900, 1, 61_440, 1), new Groups(100, 3, 1_000_000, 48));
    }

    /** 5 s of warm-up at least, and the 3 s that count. */
    @Test
    @Tag("long")
    @Timeout(120)
    void theLoopbackIsDrivenAsTheScenarioIs() throws Exception {
        LoadPlan plan = LoadPlan.of(
                        InetSocketAddress.createUnresolved("nowhere.hubmark.example", 25),
                        3,
                        new Pace.ClosedLoop(),
                        Transfer.BDAT,
                        "a@x",
                        "b@x")
                .by(ClientTls.trustingAll());
        List<LoadPlan> driven = new ArrayList<>();
        MailSource mail = new MailSource(plan, Duration.ZERO, (to, server, at) -> {
            driven.add(to);
            return MessageSet.generate(
                    4_000, new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x"), to, server);
        });
        Map<String, Ceilings> found;
        long beginNanos = System.nanoTime();
        Progress progress = new Progress(System.err, true);
        try (Interruption interruption = new Interruption();
                HubHost host = new HubHost(
                        new Program("test", CeilingProbeTest.class, CeilingProbeTest.class),
                        folder,
                        progress,
                        interruption::awaitDone);
                Part part = new Part(
                        new ScenarioRequest("mail", "mail", mail, null, Conditions.UNKNOWN),
                        folder,
                        Instant.now(),
                        repeat -> false)) {
            found = new CeilingProbe(folder, progress, host, new HashMap<>(), 1, TimeSource.SYSTEM)
                    .shared(List.of(part));
        }
        long seconds = Duration.ofNanos(System.nanoTime() - beginNanos).toSeconds();
        assertThat(Objects.requireNonNull(found.get("mail")).loopbackMsgsPerS()).isPositive();
        assertThat(driven).hasSize(1);
        LoadPlan load = driven.getFirst();
        assertThat(load.dialogue().tls()).isNotNull();
        assertThat(load.dialogue().transfer()).isEqualTo(Transfer.BDAT);
        assertThat(load.connections()).isEqualTo(3);
        assertThat(seconds).isGreaterThanOrEqualTo(5 + 3);
    }
}
