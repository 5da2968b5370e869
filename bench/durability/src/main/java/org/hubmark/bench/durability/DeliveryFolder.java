package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads what a hub delivers into a folder, notes it in the ledger and deletes it, so that what is
 * delivered once more is seen once more. A thread of its own; any thread may ask.
 */
final class DeliveryFolder implements AutoCloseable {
    private static final long POLL_MILLIS = 20;

    private final Path folder;
    private final Ledger ledger;
    private final Thread reader;
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong corrupted = new AtomicLong();
    private volatile boolean stopping;
    private volatile @Nullable IOException failure;

    /** Begins. The folder is there. */
    DeliveryFolder(Path folder, Ledger ledger) {
        this.folder = folder;
        this.ledger = ledger;
        this.reader = Thread.ofPlatform().daemon().name("delivered").start(this::run);
    }

    /** {@return deliveries so far} */
    long delivered() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return delivered.get();
    }

    /** {@return deliveries of what nobody has sent, or not in this form} */
    long corrupted() {
        return corrupted.get();
    }

    @Override
    public void close() throws InterruptedException {
        stopping = true;
        reader.join();
    }

    private void run() {
        try {
            while (!stopping) {
                take();
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        } catch (DirectoryIteratorException e) {
            failure = e.getCause();
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A message is there as a whole when its second file is, which is written last. */
    private void take() throws IOException {
        try (DirectoryStream<Path> done = Files.newDirectoryStream(folder, "*.json")) {
            for (Path envelope : done) {
                String name = envelope.getFileName().toString();
                Path content = folder.resolve(name.replaceFirst("json$", "eml"));
                byte[] message;
                try {
                    message = Files.readAllBytes(content);
                } catch (NoSuchFileException e) {
                    // A delivery that is under way for the second time.
                    continue;
                }
                Files.delete(envelope);
                Files.delete(content);
                note(message);
            }
        }
    }

    private void note(byte[] message) {
        Ledger.Entry entry = ledger.find(LedgerMessage.token(message));
        if (entry == null || !Arrays.equals(LedgerMessage.digest(message, false), entry.digest)) {
            corrupted.incrementAndGet();
        } else {
            entry.delivered++;
        }
        delivered.incrementAndGet();
    }
}
