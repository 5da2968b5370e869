package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.load.Audit;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.MessageComparison;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.mail.document.Reason;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Proves, with a real hub whose delivery is right or wrong, that the audit sees what the account of
 * numbers can't, and that it sees nothing where nothing is wrong, whatever is sent and however.
 */
@Timeout(60)
class DeliveryAuditTest {
    private static final long MESSAGES = 60;
    private static final long CHECKPOINT_DEPTH_BYTES = 16 << 20;
    private static final Duration WAIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final AtomicLong deliveries = new AtomicLong();

    /** What was found, and what the numbers say. */
    private record Found(Audit audit, List<Reason> reasons, Accounts counts) {}

    @Test
    void aDuplicateBalancesALossInNumbersOnly() throws Exception {
        Found found = found(right -> lease -> {
            long delivery = deliveries.incrementAndGet();
            if (delivery == 2) {
                return new Outcome.Delivered();
            }
            if (delivery == 5) {
                right.deliver(lease);
            }
            return right.deliver(lease);
        });
        assertThat(found.counts.accepted()).isEqualTo(MESSAGES);
        assertThat(found.counts.delivered()).isEqualTo(MESSAGES);
        assertThat(found.counts.lost()).isZero();
        assertThat(found.audit).isEqualTo(new Audit("all", MESSAGES, 1, 1L, 0, 0, 0L));
        assertThat(found.reasons).hasSize(2);
    }

    @Test
    void anOctetThatChangedIsSeen() throws Exception {
        Found found = found(right -> lease -> {
            boolean spoilt = deliveries.incrementAndGet() == 7;
            return right.deliver(spoilt ? spoilt(lease) : lease);
        });
        assertThat(found.counts.lost()).isZero();
        assertThat(found.audit).isEqualTo(new Audit("all", MESSAGES, 0, 0L, 1, 0, 0L));
    }

    @Test
    void whatArrivesAsItWasSentIsRight() throws Exception {
        // One after the other to one hub: an audit reads what was delivered since it began.
        try (Hub hub = hub(right -> right)) {
            for (Transfer transfer : Transfer.values()) {
                Found found = found(hub, transfer);
                assertThat(found.reasons).as(transfer.toString()).isEmpty();
                assertThat(found.audit).isEqualTo(new Audit("all", MESSAGES, 0, 0L, 0, 0, 0L));
            }
        }
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

    private Found found(UnaryOperator<DeliveryAgent> delivery) throws Exception {
        try (Hub hub = hub(delivery)) {
            return found(hub, Transfer.DATA);
        }
    }

    /** {@return a hub that writes down what it delivers, for an audit; the delivery is made of the right one} */
    private Hub hub(UnaryOperator<DeliveryAgent> delivery) throws Exception {
        DeliveryAgent agent = delivery.apply(AuditedDiscard.to(audited(), AuditShare.ALL));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return Hub.start(new HubConfiguration(
                any,
                any,
                VolumeFolders.below(folder),
                new Durability.Synced(),
                CHECKPOINT_DEPTH_BYTES,
                IntakeKind.STORE,
                new DeliverySpec.Own(agent),
                new Settings(Map.of()),
                InstantSource.system()));
    }

    private Path audited() {
        return folder.resolve("audited.txt");
    }

    private Found found(Hub hub, Transfer transfer) throws Exception {
        LoadPlan plan = LoadPlan.of(
                        hub.address(),
                        4,
                        new Pace.ClosedLoop(),
                        transfer,
                        "a@x.example",
                        "b@x.example")
                .limited(4, MESSAGES)
                .on(2);
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        MessageGenerator generator = new MessageGenerator(
                1, Instant.EPOCH, plan.addresses().sender(), plan.addresses().recipient());
        try (MessageSet messages = MessageSet.generate(20_000, generator, plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            Snapshot begin = snapshot(driver.snapshot(), hub);
            DeliveryAudit audit = DeliveryAudit.begin(audited(), AuditShare.ALL, driver);
            driver.begin();
            assertThat(driver.awaitFinished(WAIT)).isTrue();
            await().atMost(WAIT).untilAsserted(() -> {
                assertThat(counts(begin, driver, hub).left()).isZero();
                assertThat(counts(begin, driver, hub).delivered()).isEqualTo(MESSAGES);
            });
            MessageComparison comparison = audit.compare();
            return new Found(
                    comparison.audit(), audit.reasons(comparison), counts(begin, driver, hub));
        }
    }

    private static Accounts counts(Snapshot begin, LoadDriver driver, Hub hub) {
        return Accounts.of(begin, snapshot(driver.snapshot(), hub), true);
    }

    private static Snapshot snapshot(LoadSnapshot load, Hub hub) {
        return new Snapshot(
                System.nanoTime(),
                load,
                0,
                MachineReading.UNKNOWN,
                false,
                Map.of(),
                Map.of(),
                HubCounters.parse(hub.metrics()));
    }
}
