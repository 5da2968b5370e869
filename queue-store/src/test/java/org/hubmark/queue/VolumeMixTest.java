package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.QueueId;
import org.hubmark.core.StoreException;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.QueueDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Proves that a store whose volumes don't belong together, or of which a part is gone or damaged, either
 * starts with all of its mail or says in one line what is wrong and what to do; and that it changes
 * nothing before it says so. On real folders: some mail, a clean stop, a copy, and more mail, with a
 * log so short that most of it is moved to the queue database and every segment is used again.
 */
class VolumeMixTest {
    private static final int CONTENT_BYTES = 20_000;
    private static final int MESSAGES = 150;
    private static final String OLDER_QUEUE = "the queue volume is older than the log volume";
    private static final String OLDER_LOG = "the log volume is older than the queue volume";

    /** What every test begins with a copy of, and the messages in it. */
    @TempDir
    private static Path made;

    private static final List<QueueId> MADE = new ArrayList<>();

    @TempDir
    Path folder;

    private final List<QueueId> accepted = new ArrayList<>();

    @BeforeAll
    static void acceptTwiceWithACopyInBetween() throws IOException {
        VolumeMixTest maker = new VolumeMixTest();
        maker.folder = made;
        maker.fill(maker.log(), maker.queue(), MESSAGES);
        StoreUnderTest.copy(made.resolve("now"), made.resolve("older"));
        maker.fill(maker.log(), maker.queue(), MESSAGES);
        maker.fill(made.resolve("other/log"), made.resolve("other/queue"), 0);
        maker.opensWhole(maker.log(), maker.queue());
        MADE.addAll(maker.accepted);
    }

    @BeforeEach
    void copy() throws IOException {
        StoreUnderTest.copy(made, folder);
        accepted.addAll(MADE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            now/log   | older/queue | the queue volume is older than the log volume | mount
            older/log | now/queue   | the log volume is older than the queue volume |
            now/queue | now/log     | swapped: give | as the log volume
            now/log   | other/queue | two different stores |
            now/log   | other/log   | both the log volume |
            now/log   | none        | the queue volume | missing or not mounted
            none      | now/queue   | the log volume | missing or not mounted
            now       | now         | are one folder |
            file      | now/queue   | there is a file where a folder should be |
            """)
    void volumesThatAreNoStore(String log, String queue, String text, @Nullable String more)
            throws IOException {
        Files.createFile(folder.resolve("file"));
        refuses(folder.resolve(log), folder.resolve(queue), text, more == null ? "" : more);
    }

    @Test
    void anOlderQueueVolumeThatLacksNothingTheLogStillHas() throws IOException {
        // Nothing was moved since the copy, so the log has it all, whatever the clean stop has
        // left.
        Path copy = folder.resolve("copy");
        StoreUnderTest.copy(queue(), copy);
        fill(log(), queue(), 3);
        opensWhole(log(), copy);
    }

    /** A refused start leaves content that the database does not name. */
    @Test
    void anOlderDatabaseOnTheQueueVolume() throws IOException {
        Path database = queue().resolve(QueueDatabase.FOLDER);
        Path newer = folder.resolve("newer");
        Files.move(database, newer);
        StoreUnderTest.copy(older(QueueDatabase.FOLDER), database);
        refuses(log(), queue(), OLDER_QUEUE);
        SimulatedDatabase.delete(database);
        Files.move(newer, database);
        opensWhole(log(), queue());
    }

    @Test
    void olderContentOrACutOffOrLostFileOfIt() throws IOException {
        Path content = queue().resolve(ContentFiles.FOLDER);
        Path file = Collections.max(StoreUnderTest.sizes(content).keySet());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
        refuses(log(), queue(), "the content file " + file + " has ", "relies on");
        Files.delete(file);
        refuses(log(), queue(), "the content file " + file + " is missing");
        SimulatedDatabase.delete(content);
        StoreUnderTest.copy(older(ContentFiles.FOLDER), content);
        refuses(log(), queue(), "the content file " + content, "restore the queue volume");
    }

    @Test
    void anOlderLogOfTheSameSegments() throws IOException {
        // No segment was begun since the copy, but the clean stop says how far the log had come.
        Path copy = folder.resolve("copy");
        try (StoreUnderTest store = open(log(), queue())) {
            // A start goes on in a new segment.
            accepted.add(store.enqueue(CONTENT_BYTES));
            StoreUnderTest.copy(log(), copy);
            accepted.add(store.enqueue(CONTENT_BYTES));
        }
        refuses(copy, queue(), "had been synced", OLDER_LOG);
    }

    @Test
    void aDatabaseWithoutItsManifestOrCurrentOrAll() throws IOException {
        Path database = queue().resolve(QueueDatabase.FOLDER);
        Path current = database.resolve("CURRENT");
        String manifest = Files.readString(current).strip();
        Files.delete(database.resolve(manifest));
        refuses(log(), queue(), "can't open the queue database", manifest, "restore the queue");
        String lost = "has lost its file CURRENT, or was emptied";
        Files.delete(current);
        refuses(log(), queue(), lost);
        SimulatedDatabase.delete(database);
        refuses(log(), queue(), lost, "restore the queue");
        Files.createDirectories(database);
        refuses(log(), queue(), lost);
    }

    @Test
    void anEmptiedLogVolume() throws IOException {
        SimulatedDatabase.delete(log().resolve(StoreStart.SEGMENTS_FOLDER));
        refuses(log(), queue(), "the log ends at generation 0", "the newest segment is missing");
        SimulatedDatabase.delete(log());
        Files.createDirectories(log());
        refuses(log(), queue(), "the log volume " + log() + " is missing or not mounted");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theNewestSegmentDeletedOrItsHeaderZeroed(boolean afterAKill) throws IOException {
        Path store = afterAKill ? kill() : folder.resolve("now");
        Path newest = newest(store);
        if (afterAKill) {
            overwrite(newest, 0, new byte[4096]);
            refuses(
                    store.resolve("log"),
                    store.resolve("queue"),
                    "its header was zeroed (segment-",
                    "put back the missing files");
        }
        Files.delete(newest);
        refuses(store.resolve("log"), store.resolve("queue"), "the newest segment is missing");
    }

    @Test
    void aDamagedMissingOrForeignWitness() throws IOException {
        Path witness = queue().resolve(StoreWitness.FILE);
        overwrite(witness, 33, new byte[] {0x55});
        refuses(log(), queue(), StoreWitness.FILE + " is damaged", "which may be older");
        Files.write(witness, new byte[0]);
        refuses(log(), queue(), StoreWitness.FILE + " is damaged");
        Files.delete(witness);
        refuses(log(), queue(), StoreWitness.FILE + " is missing", "which may be older");
        Files.copy(folder.resolve("other/queue").resolve(StoreWitness.FILE), witness);
        refuses(log(), queue(), "belongs to store", "not to");
        Files.delete(witness);
        Files.copy(older(StoreWitness.FILE), witness);
        opensWhole(log(), queue());
    }

    @Test
    void anIdentityThatIsUnknownOrDamagedOrLost() throws IOException {
        Path identity = log().resolve(StoreIdentity.FILE);
        String known = Files.readString(identity);
        Files.writeString(identity, known.replace("format 4", "format 99"));
        refuses(log(), queue(), "has format 99, this version knows format 4");
        String damaged = StoreIdentity.FILE + " is damaged";
        for (String text : List.of("", "format 4\n", "format 4\nstore x\nrole log\n")) {
            Files.writeString(identity, text);
            refuses(log(), queue(), damaged, text.contains("x") ? "" : "(it is not 'format N'");
        }
        Files.delete(identity);
        Files.delete(queue().resolve(StoreIdentity.FILE));
        assertThatThrownBy(() -> open(log(), queue()))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("holds a store's files", "restore that file");
    }

    @Test
    void bothFoldersGone() throws IOException {
        Path log = folder.resolve("mount/log");
        Path queue = folder.resolve("mount/queue");
        assertThatThrownBy(() -> StoreUnderTest.at(log, queue).existingOnly().open())
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("there is no queue", "check the two folders", "mounted")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> QueueReader.open(log, queue))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no queue");
        assertThat(folder.resolve("mount")).doesNotExist();
        try (StoreUnderTest store = open(log, queue)) {
            assertThat(store.store().isNew()).isTrue();
        }
        StoreUnderTest.at(log, queue).existingOnly().open().close();
    }

    @Test
    void aCopyOfOneVolumeInUse() throws IOException {
        Path copy = folder.resolve("copy");
        StoreUnderTest.copy(queue(), copy);
        try (StoreUnderTest store = open(log(), queue())) {
            String use = " is in use by process " + ProcessHandle.current().pid();
            assertThatThrownBy(() -> open(log(), copy))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the log volume " + log() + use);
            assertThatThrownBy(() -> open(folder.resolve("older/log"), queue()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the queue volume " + queue() + use);
            assertThat(store.store().refusal()).isNull();
        }
        opensWhole(log(), queue());
    }

    @Test
    void aStartThatIsCutOffWhileItMakesTheStore() throws IOException {
        for (int stage = 0; stage < 3; stage++) {
            Path log = Files.createDirectories(folder.resolve("new" + stage + "/log"));
            Path queue = Files.createDirectories(folder.resolve("new" + stage + "/queue"));
            StoreIdentity begun = StoreIdentity.begin(log, queue);
            if (stage > 0) {
                StoreStart.create(begun, queue, false);
            }
            if (stage > 1) {
                // The first of the two names is there.
                Files.move(queue.resolve("hubmark-store.new"), queue.resolve(StoreIdentity.FILE));
                StoreUnderTest.at(log, queue).existingOnly().open().close();
            }
            fill(log, queue, 0);
            assertThat(log.resolve(StoreIdentity.FILE)).exists();
        }
    }

    /** {@return a copy of both volumes as a process leaves them that is killed just after mail} */
    private Path kill() throws IOException {
        Path killed = folder.resolve("killed");
        try (StoreUnderTest store = open(log(), queue())) {
            for (int i = 0; i < MESSAGES; i++) {
                store.enqueue(CONTENT_BYTES);
            }
            // The witness is kept beside the committer: waits until it has caught up.
            StoreIdentity identity = StoreIdentity.require(log(), queue());
            while (StoreWitness.read(queue(), identity.store()).generation()
                    < generation(newest(folder.resolve("now")))) {
                Thread.onSpinWait();
            }
            StoreUnderTest.copyAtRest(folder.resolve("now"), killed);
        }
        return killed;
    }

    private static Path newest(Path store) throws IOException {
        TreeMap<Long, Path> segments = new TreeMap<>();
        for (Path file : StoreUnderTest.walk(store.resolve("log/segments"))) {
            if (file.toString().endsWith(".log")) {
                segments.put(generation(file), file);
            }
        }
        return segments.lastEntry().getValue();
    }

    private static long generation(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            ByteBuffer generation = ByteBuffer.allocate(Long.BYTES);
            file.read(generation, 32);
            return generation.getLong(0);
        }
    }

    private static void overwrite(Path path, long position, byte[] octets) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(position);
            file.write(octets);
        }
    }

    private void refuses(Path log, Path queue, String... texts) throws IOException {
        Map<Path, Integer> before = digests(log);
        assertThatThrownBy(() -> open(log, queue))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(texts)
                .hasMessageNotContainingAny("\n", "Exception");
        assertThat(digests(log)).as("the segments and their names").isEqualTo(before);
        if (Files.isDirectory(log) && !log.equals(queue)) {
            // Who only looks is told the same.
            assertThatThrownBy(() -> QueueReader.open(log, queue))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll(texts);
        }
    }

    /** {@return what a refusal must not change} */
    private static Map<Path, Integer> digests(Path log) throws IOException {
        Map<Path, Integer> digests = new TreeMap<>();
        Path segments = log.resolve(StoreStart.SEGMENTS_FOLDER);
        if (Files.isDirectory(segments)) {
            for (Path file : StoreUnderTest.sizes(segments).keySet()) {
                digests.put(file, Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return digests;
    }

    private void fill(Path log, Path queue, int messages) throws IOException {
        try (StoreUnderTest store = open(log, queue)) {
            for (int i = 0; i < messages; i++) {
                accepted.add(store.enqueue(CONTENT_BYTES));
            }
        }
    }

    private void opensWhole(Path log, Path queue) throws IOException {
        try (StoreUnderTest store = open(log, queue)) {
            assertThat(store.store().isNew()).isFalse();
            assertThat(accepted)
                    .allSatisfy(id -> assertThat(store.store().find(id)).isPresent());
            assertThat(store.length().messages()).isEqualTo(accepted.size());
        }
    }

    private static StoreUnderTest open(Path log, Path queue) throws IOException {
        return StoreUnderTest.at(log, queue).log(256 << 10, 2).open();
    }

    private Path log() {
        return folder.resolve("now/log");
    }

    private Path queue() {
        return folder.resolve("now/queue");
    }

    /** {@return what the queue volume had of that name when it was copied} */
    private Path older(String name) {
        return folder.resolve("older/queue").resolve(name);
    }
}
