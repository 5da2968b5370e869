package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.load.Audit;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageComparison;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.Settings;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfiguration;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.audit.AuditedDiscard;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Proves, with a real hub whose delivery is wrong, that the audit sees what the account of numbers can't. RunTest has
 * one where nothing is wrong.
 */
@Timeout(60)
class DeliveryAuditTest {
    private static final long MESSAGES = 60;
    private static final long CHECKPOINT_DEPTH_BYTES = 16 << 20;
    private static final Duration WAIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final AtomicLong deliveries = new AtomicLong();

    /** Loses the second message, delivers the fifth twice, and changes an octet of the seventh. */
    private Outcome deliver(DeliveryAgent right, Lease lease) {
        long delivery = deliveries.incrementAndGet();
        if (delivery == 2) {
            return new Outcome.Delivered();
        }
        if (delivery == 5) {
            right.deliver(lease);
        }
        return right.deliver(delivery == 7 ? spoilt(lease) : lease);
    }

    private static Lease spoilt(Lease lease) {
        try (InputStream in = lease.openContent()) {
            byte[] octets = in.readAllBytes();
            octets[octets.length - 3] ^= 1;
            return new Lease(
                    lease.id(),
                    lease.envelope(),
                    lease.sizeBytes(),
                    lease.attempts(),
                    () -> new ByteArrayInputStream(octets));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatIsWrongIsSeenThoughTheNumbersAreRight() throws Exception {
        Path audited = folder.resolve("audited.txt");
        try (Hub hub = hub(AuditedDiscard.to(audited, AuditShare.ALL))) {
            LoadPlan plan = LoadPlan.of(
                            hub.address(),
                            4,
                            new Pace.ClosedLoop(),
                            Transfer.DATA,
                            "a@x.example",
                            "b@x.example")
                    .limited(4, MESSAGES)
                    .on(2);
            TargetProbe.Announced announced = TargetProbe.ask(plan);
            MessageGenerator generator =
                    new MessageGenerator(1, Instant.EPOCH, "a@x.example", "b@x.example");
            try (MessageSet messages = MessageSet.generate(20_000, generator, plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                Snapshot begin = snapshot(driver, hub);
                DeliveryAudit audit = DeliveryAudit.begin(audited, AuditShare.ALL, driver);
                driver.begin();
                assertThat(driver.awaitFinished(WAIT)).isTrue();
                await().atMost(WAIT)
                        .untilAsserted(
                                () -> assertThat(Accounts.of(begin, snapshot(driver, hub), true))
                                        .isEqualTo(new Accounts(
                                                MESSAGES, MESSAGES, 0, 0, MESSAGES, 0L, 0L)));
                MessageComparison found = audit.compare();
                assertThat(found.audit()).isEqualTo(new Audit("all", MESSAGES, 1, 1L, 1, 0, 0L));
                assertThat(audit.reasons(found)).hasSize(3);
            }
        }
    }

    private Hub hub(DeliveryAgent right) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return Hub.start(new HubConfiguration(
                any,
                any,
                VolumeFolders.below(folder),
                new Durability.Synced(),
                CHECKPOINT_DEPTH_BYTES,
                IntakeKind.STORE,
                new DeliverySpec.Own(lease -> deliver(right, lease)),
                new Settings(Map.of()),
                InstantSource.system()));
    }

    private static Snapshot snapshot(LoadDriver driver, Hub hub) {
        return new Snapshot(
                System.nanoTime(),
                driver.snapshot(),
                0,
                MachineReading.UNKNOWN,
                false,
                Map.of(),
                Map.of(),
                HubCounters.parse(hub.metrics()));
    }
}
