package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What is delivered is counted once each time, and what was not sent is told from it. */
class DeliveryFolderTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final byte[] NOBODYS =
            "Subject: nobody sent that\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private Path delivered;
    private Ledger ledger;
    private Ledger.Entry entry;
    private DeliveryFolder reader;

    @BeforeEach
    void begin() throws IOException {
        delivered = Files.createDirectory(folder.resolve("delivered"));
        ledger = new Ledger(folder.resolve("ledger.csv"), 1);
        entry = MadeEntries.open(ledger);
        reader = new DeliveryFolder(delivered, ledger);
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        reader.close();
        ledger.close();
    }

    private void deliver(String id, byte[] message) throws IOException {
        Files.write(delivered.resolve(id + ".eml"), message);
        Files.createFile(delivered.resolve(id + ".json"));
    }

    private void awaitDelivered(long count) {
        await().atMost(SOON).until(() -> reader.delivered() == count);
    }

    @Test
    void eachDeliveryCountsAndAnotherContentIsNotTheMessage() throws IOException {
        byte[] message = LedgerMessage.content(entry.token);
        deliver("a", message);
        awaitDelivered(1);
        assertThat(entry.delivered).isEqualTo(1);
        deliver("a", message);
        awaitDelivered(2);
        assertThat(entry.delivered).isEqualTo(2);
        assertThat(reader.corrupted()).isZero();
        byte[] changed = message.clone();
        changed[changed.length - 5] ^= 1;
        deliver("a", changed);
        deliver("b", NOBODYS);
        awaitDelivered(4);
        assertThat(reader.corrupted()).isEqualTo(2);
        assertThat(entry.delivered).isEqualTo(2);
        assertThat(delivered).isEmptyDirectory();
    }

    @Test
    void aMessageIsWaitedForUntilItIsWhole() throws Exception {
        Files.write(delivered.resolve("a.eml"), LedgerMessage.content(entry.token));
        // Whoever reads these has looked into the folder again, since the first is there.
        for (int others = 1; others <= 2; others++) {
            deliver("b", NOBODYS);
            awaitDelivered(others);
        }
        assertThat(entry.delivered).isZero();
        assertThat(reader.corrupted()).isEqualTo(2);
        Files.createFile(delivered.resolve("a.json"));
        awaitDelivered(3);
        assertThat(reader.corrupted()).isEqualTo(2);
        assertThat(entry.delivered).isEqualTo(1);
    }
}
