package org.hubmark.bench.durability;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Volumes that have been in use: before the first crash a store without syncs has moved many segments
 * to its queue database, used their files again and delivered most of the mail. What it still holds is in
 * the ledger as acknowledged. One thread.
 */
final class Ageing {
    /**
     * Amount of mail as a multiple of the log's depth, after which each segment of a fresh queue
     * has been moved and recycled.
     */
    private static final int DEPTHS = 6;

    private static final int ONE_IN_KEPT = 12;
    private static final int LEASES_MAX = 1000;
    private static final int BUDGET_BYTES = 16 << 20;
    /** Then the log runs ahead of the deliveries by more than its depth. */
    private static final int MESSAGES_PER_DELIVERY = 2500;

    private Ageing() {}

    /** Fills and empties the queue of a hub that is to be started below a folder. */
    static void age(Path data, Ledger ledger, Random random) throws IOException {
        StoreConfiguration configuration = new StoreConfiguration(
                HubTarget.log(data),
                HubTarget.queue(data),
                new Durability.None(),
                StoreCheck.CHECKPOINT_DEPTH_BYTES,
                new Settings(StoreCheck.SETTINGS),
                InstantSource.system());
        ContentBudget budget = new ContentBudget(BUDGET_BYTES);
        long left = DEPTHS * StoreCheck.CHECKPOINT_DEPTH_BYTES;
        try (QueueStore store = QueueStore.open(configuration)) {
            for (int handed = 0; left > 0; handed++) {
                byte[] octets = LedgerMessage.content(ledger.newToken());
                left -= octets.length;
                hand(store, budget, ledger, octets).join();
                if (handed % MESSAGES_PER_DELIVERY == MESSAGES_PER_DELIVERY - 1) {
                    deliver(store, ledger, random);
                }
            }
            deliver(store, ledger, random);
        }
        ledger.flush();
    }

    /** {@return the answer} The ledger has it already. */
    private static CompletableFuture<Receipt> hand(
            QueueStore store, ContentBudget budget, Ledger ledger, byte[] octets) {
        Ledger.Entry entry = ledger.add(
                LedgerMessage.token(octets),
                0,
                Objects.requireNonNull(LedgerMessage.digest(octets, false)));
        Content content = Objects.requireNonNull(
                Content.open(store.nextId(), budget, octets.length), "no memory for a message");
        ledger.sending(entry);
        entry.queueId = content.id().toString();
        content.append(octets, 0, octets.length);
        Envelope envelope = new Envelope(
                "ledger@sender.example",
                List.of("ledger@recipient.example"),
                BodyType.SEVEN_BIT,
                Instant.now(),
                "");
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        store.enqueue(envelope, content, receipt -> {
            if (receipt instanceof Receipt.Queued) {
                ledger.acknowledged(entry);
            } else {
                ledger.refused(entry, 0);
            }
            answer.complete(receipt);
        });
        return answer;
    }

    private static void deliver(QueueStore store, Ledger ledger, Random random) throws IOException {
        for (List<Lease> leases = store.lease(LEASES_MAX);
                !leases.isEmpty();
                leases = store.lease(LEASES_MAX)) {
            for (Lease lease : leases) {
                if (random.nextInt(ONE_IN_KEPT) == 0) {
                    // Due at the next start again.
                    continue;
                }
                try (InputStream in = lease.openContent()) {
                    Ledger.Entry entry = ledger.find(
                            LedgerMessage.token(in.readNBytes(LedgerMessage.TOKEN_BYTES_MAX)));
                    if (entry != null) {
                        entry.delivered++;
                    }
                }
                store.acknowledge(lease.id());
            }
        }
    }
}
