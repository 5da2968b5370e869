package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Content;
import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Proves that a process that is killed (SIGKILL) while it takes mail loses nothing for which it has given a
 * receipt, which it writes to its standard output; and that the memory of a store is bounded whatever the depth
 * of its log: with a small heap it takes more messages than fit it into a deep log, while the queue volume is
 * slow, and starts again with the same heap. A process that ran out of memory would end.
 */
@Timeout(900)
class StoreKillTest {
    private static final int ROUNDS = 3;

    /** What a checkpoint waits for on the slow queue volume. */
    private static final long CHECKPOINT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir
    Path folder;

    @Test
    void keepsEveryReceipt() throws Exception {
        Random random = new Random(Long.getLong("hubmark.seed", 1));
        Set<QueueId> promised = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            promised.addAll(killAfter(1 + random.nextInt(3000), "-Xmx256m", false));
            try (StoreUnderTest queue = open(folder, false)) {
                List<Lease> leases = queue.store().lease(Integer.MAX_VALUE);
                for (Lease lease : leases) {
                    assertThat(StoreUnderTest.read(lease)).isEqualTo(octets(lease.id(), false));
                }
                assertThat(new HashSet<>(StoreUnderTest.ids(leases))).containsAll(promised);
            }
        }
    }

    /** An index without a bound fills such a heap with some 200,000 messages. */
    @Test
    void aSmallHeapHoldsForAWhile() throws Exception {
        int accepted = killAfter(300_000, "-Xmx48m", true).size();
        Process child = start("-Xmx48m", "count", true);
        try (BufferedReader lines = child.inputReader()) {
            assertThat(Integer.parseInt(lines.readLine())).isGreaterThanOrEqualTo(accepted);
            assertThat(child.waitFor()).isZero();
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    /** {@return what a process has given receipts for that was killed after so many} */
    private Set<QueueId> killAfter(int receipts, String heap, boolean isDeep) throws Exception {
        Process child = start(heap, "fill", isDeep);
        Set<QueueId> promised = new HashSet<>();
        try (BufferedReader lines = child.inputReader()) {
            String line = lines.readLine();
            assertThatThrownBy(() -> open(folder, isDeep))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("in use by process " + child.pid());
            while (line != null) {
                // The last line may be cut off.
                if (line.length() == 13) {
                    promised.add(QueueId.parse(line));
                }
                if (promised.size() == receipts) {
                    // The handle's, since the process's own closes the stream that is being read.
                    child.toHandle().destroyForcibly();
                }
                line = lines.readLine();
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(promised).hasSizeGreaterThanOrEqualTo(receipts);
        return promised;
    }

    private Process start(String heap, String what, boolean isDeep) throws IOException {
        return ChildJvm.of(
                        List.of(heap, "-XX:+ExitOnOutOfMemoryError"),
                        Child.class,
                        what,
                        folder,
                        isDeep)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static byte[] octets(QueueId id, boolean isDeep) {
        return StoreUnderTest.octets(id.value(), isDeep ? 200 : 20_000);
    }

    private static StoreUnderTest open(Path folder, boolean isDeep) throws IOException {
        return isDeep
                ? StoreUnderTest.at(folder)
                        .durability(new Durability.None())
                        .log(16 << 20, 64)
                        .queueFree(() -> {
                            if (Thread.currentThread().getName().equals("checkpointer")) {
                                LockSupport.parkNanos(CHECKPOINT_NANOS);
                            }
                            return Long.MAX_VALUE;
                        })
                        .open()
                // Small, so that the kill also meets checkpoints.
                : StoreUnderTest.at(folder).log(4 << 20, 2).open();
    }

    /** Takes mail until it is killed, or counts what there is. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws Exception {
            boolean isDeep = Boolean.parseBoolean(arguments[2]);
            StoreUnderTest queue = open(Path.of(arguments[1]), isDeep);
            if (arguments[0].equals("count")) {
                System.out.println(queue.length().messages());
                for (Lease lease : queue.store().lease(100)) {
                    lease.openContent().close();
                }
                queue.store().close();
                return;
            }
            Semaphore slots = new Semaphore(isDeep ? 512 : 32);
            while (!queue.store().failure().isDone()) {
                slots.acquire();
                Content content = queue.open(0);
                byte[] octets = octets(content.id(), isDeep);
                content.append(octets, 0, octets.length);
                queue.store()
                        .enqueue(StoreUnderTest.envelope(StoreUnderTest.TO), content, receipt -> {
                            slots.release();
                            if (receipt instanceof Receipt.Queued queued) {
                                System.out.println(queued.id());
                            }
                        });
            }
        }
    }
}
