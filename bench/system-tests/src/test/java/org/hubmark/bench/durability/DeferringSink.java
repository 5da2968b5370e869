package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A next hop that answers each message with 451, and notes when, until it is told to take them; then it notes
 * in the ledger what it has. Any thread may ask.
 */
final class DeferringSink implements AutoCloseable {
    /** Settings of a hub by which it soon tries again. */
    static final Map<String, String> RETRIES =
            Map.of("delivery.retry-min", "100ms", "delivery.retry-max", "500ms");

    private final Ledger ledger;
    private final NextHop hop;
    private final Map<Long, Long> attemptNanos = new ConcurrentHashMap<>();
    private final AtomicLong corrupted = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private volatile boolean accepting;

    DeferringSink(Ledger ledger) throws IOException {
        this.ledger = ledger;
        this.hop = new NextHop(() -> new NextHop.Session() {
            @Override
            public String answer(String command) {
                return command.startsWith("DATA") ? "354 go on" : "250 2.0.0 ok";
            }

            @Override
            public String taken(InputStream content) throws IOException {
                return take(NextHop.content(content));
            }
        });
    }

    String delivery() {
        return hop.delivery();
    }

    /** Takes messages from now on. */
    void accept() {
        accepting = true;
    }

    /** {@return whether each acknowledged message was tried since some time, by nanoTime} Waits for it. */
    boolean awaitTried(long sinceNanos) throws InterruptedException {
        return HubLife.await(() -> ledger.entries().stream()
                .filter(entry -> entry.acked)
                .allMatch(entry -> {
                    Long nanos = attemptNanos.get(entry.token);
                    return nanos != null && nanos - sinceNanos >= 0;
                }));
    }

    /** {@return messages taken, those among them that were taken before} */
    long taken() {
        return taken.get();
    }

    /** {@return that somebody delivered what nobody has sent, or not in this form; null if nobody did} */
    @Nullable
    String failure() {
        return corrupted.get() == 0
                ? null
                : corrupted + " messages were delivered with another content";
    }

    @Override
    public void close() throws IOException {
        hop.close();
    }

    private String take(byte[] message) {
        long token = LedgerMessage.token(message);
        Ledger.Entry entry = ledger.find(token);
        attemptNanos.put(token, System.nanoTime());
        if (entry == null || !Arrays.equals(LedgerMessage.digest(message, false), entry.digest)) {
            corrupted.incrementAndGet();
        } else if (accepting) {
            synchronized (this) {
                entry.delivered++;
            }
        }
        if (!accepting) {
            return "451 4.3.0 later";
        }
        taken.incrementAndGet();
        return "250 2.0.0 taken";
    }
}
