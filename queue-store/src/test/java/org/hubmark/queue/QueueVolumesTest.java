package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Durability;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * Proves that volumes that don't belong together, or don't belong to this version, are recognised
 * before anything is written to them, each with a message that says what to do.
 */
class QueueVolumesTest {
    @TempDir
    Path folder;

    @Test
    void swappedVolumes() throws IOException {
        make("one");
        refuses(queue("one"), log("one"), "swapped: give " + log("one") + " as the log volume");
    }

    @Test
    void volumesOfTwoStores() throws IOException {
        make("one");
        make("two");
        refuses(log("one"), queue("two"), "two different stores");
        refuses(log("one"), log("two"), "both the log volume");
    }

    @Test
    void aMissingVolume() throws IOException {
        make("one");
        refuses(log("one"), folder.resolve("none"), "the queue volume", "missing or not mounted");
        refuses(folder.resolve("none"), queue("one"), "the log volume", "missing or not mounted");
        assertThatThrownBy(() -> QueueReader.open(folder.resolve("a"), folder.resolve("b")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no queue");
        assertThat(folder.resolve("a")).doesNotExist();
    }

    @Test
    void oneFolderForBoth() {
        refuses(folder, folder, "are one folder");
    }

    @Test
    void anUnknownFormat() throws IOException {
        make("one");
        Path file = log("one").resolve("hubmark-store");
        Files.writeString(file, Files.readString(file).replace("format 4", "format 99"));
        refuses(log("one"), queue("one"), "has format 99, this version knows format 4");
    }

    @Test
    void aDamagedOrLostIdentity() throws IOException {
        make("one");
        Files.writeString(log("one").resolve("hubmark-store"), "");
        refuses(log("one"), queue("one"), "hubmark-store is damaged (it is not 'format N'");
        Files.writeString(log("one").resolve("hubmark-store"), "format 4\n");
        refuses(log("one"), queue("one"), "hubmark-store is damaged (it is not 'format N'");
        Files.writeString(log("one").resolve("hubmark-store"), "format 4\nstore x\nrole log\n");
        refuses(log("one"), queue("one"), "hubmark-store is damaged");
        Files.delete(log("one").resolve("hubmark-store"));
        Files.delete(queue("one").resolve("hubmark-store"));
        refuses(log("one"), queue("one"), "holds a store's files", "restore that file");
    }

    @Test
    void aQueueInUse() throws IOException {
        try (QueueStore store = QueueStore.open(configuration(log("one"), queue("one")))) {
            refuses(
                    log("one"),
                    queue("one"),
                    "in use by process " + ProcessHandle.current().pid());
            assertThat(store.refusal()).isNull();
        }
        make("one");
    }

    @Test
    void aQueueInUseByAnotherProcess() throws Exception {
        make("one");
        Process other = ChildJvm.of(List.of(), Holder.class, log("one"), queue("one"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("open");
            refuses(log("one"), queue("one"), "in use by process " + other.pid());
            try (QueueReader reader = QueueReader.open(log("one"), queue("one"))) {
                assertThat(reader.check().problems()).isEmpty();
            }
        } finally {
            other.destroyForcibly().waitFor();
        }
        make("one");
    }

    /** Holds a store open until it is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] volumes) throws IOException {
            try (QueueStore store =
                    QueueStore.open(configuration(Path.of(volumes[0]), Path.of(volumes[1])))) {
                System.out.println("open");
                store.failure().join();
            }
        }
    }

    private Path log(String name) {
        return folder.resolve(name).resolve("log");
    }

    private Path queue(String name) {
        return folder.resolve(name).resolve("queue");
    }

    private void make(String name) throws IOException {
        QueueStore.open(configuration(log(name), queue(name))).close();
        try (QueueReader reader = QueueReader.open(log(name), queue(name))) {
            assertThat(reader.check().problems()).isEmpty();
        }
    }

    private static void refuses(Path log, Path queue, String... texts) {
        assertThatThrownBy(() -> QueueStore.open(configuration(log, queue)))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(texts);
    }

    private static StoreConfiguration configuration(Path log, Path queue) {
        return new StoreConfiguration(
                log,
                queue,
                new Durability.Synced(),
                64 << 20,
                Settings.defaults(),
                InstantSource.system());
    }
}
