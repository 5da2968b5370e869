package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.QueueDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Proves that a store whose volumes don't belong together in time, or of which a part is gone, either
 * starts with all of its mail or says in one line what is wrong and what to do; and that it changes
 * nothing before it says so. On real folders: some mail, a clean stop, a copy, and more mail, with a
 * log so short that most of it is moved to the queue database and every segment is used again.
 */
class VolumeMixTest {
    private static final LogSettings LOG = new LogSettings(256 << 10, 2, 0);
    private static final int CONTENT_BYTES = 20_000;
    private static final int MESSAGES = 150;

    /** What every test begins with a copy of, and the messages in it. */
    @TempDir
    private static Path made;

    private static final List<QueueId> MADE = new ArrayList<>();

    @TempDir
    Path folder;

    private final ContentBudget budget = new ContentBudget(64 << 20);
    private final List<QueueId> accepted = new ArrayList<>();

    @BeforeAll
    static void acceptTwiceWithACopyInBetween() throws IOException {
        VolumeMixTest maker = new VolumeMixTest();
        maker.folder = made;
        maker.fill(maker.log(), maker.queue(), MESSAGES);
        StoreUnderTest.copy(made.resolve("now"), made.resolve("older"));
        maker.fill(maker.log(), maker.queue(), MESSAGES);
        try (QueueStore store = open(maker.log(), maker.queue())) {
            assertThat(store.isNew()).isFalse();
            maker.assertWhole(store);
            assertThat(store.statistics().length().messages()).isEqualTo(maker.accepted.size());
        }
        MADE.addAll(maker.accepted);
    }

    @BeforeEach
    void copy() throws IOException {
        StoreUnderTest.copy(made, folder);
        accepted.addAll(MADE);
    }

    @Test
    void anOlderQueueVolumeUnderTheLog() throws IOException {
        refuses(log(), older("queue"), "the queue volume is older than the log volume", "mount");
    }

    @Test
    void anOlderQueueVolumeThatLacksNothingTheLogStillHas() throws IOException {
        // Nothing was moved since the copy, so the log has it all, whatever the clean stop has
        // left.
        Path copy = folder.resolve("copy");
        StoreUnderTest.copy(queue(), copy);
        fill(log(), queue(), 3);
        try (QueueStore store = open(log(), copy)) {
            assertWhole(store);
        }
    }

    @Test
    void anOlderDatabaseOnTheQueueVolume() throws IOException {
        Path database = queue().resolve(QueueDatabase.FOLDER);
        StoreUnderTest.delete(database);
        StoreUnderTest.copy(older("queue").resolve(QueueDatabase.FOLDER), database);
        refuses(log(), queue(), "the queue volume is older than the log volume");
    }

    @Test
    void aRefusedStartLeavesContentThatTheDatabaseDoesNotName() throws IOException {
        Path database = queue().resolve(QueueDatabase.FOLDER);
        Path newer = folder.resolve("newer");
        Files.move(database, newer);
        StoreUnderTest.copy(older("queue").resolve(QueueDatabase.FOLDER), database);
        refuses(log(), queue(), "the queue volume is older than the log volume");
        StoreUnderTest.delete(database);
        Files.move(newer, database);
        try (QueueStore store = open(log(), queue())) {
            assertWhole(store);
        }
    }

    @Test
    void olderContentOnTheQueueVolume() throws IOException {
        Path content = queue().resolve(ContentFiles.FOLDER);
        StoreUnderTest.delete(content);
        StoreUnderTest.copy(older("queue").resolve(ContentFiles.FOLDER), content);
        refuses(log(), queue(), "the content file " + content, "restore the queue volume");
    }

    @Test
    void aCutOffOrLostContentFile() throws IOException {
        Path content = queue().resolve(ContentFiles.FOLDER);
        Path file = Collections.max(StoreUnderTest.sizes(content).keySet());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
        refuses(log(), queue(), "the content file " + file + " has ", "relies on");
        Files.delete(file);
        refuses(log(), queue(), "the content file " + file + " is missing");
    }

    @Test
    void anOlderLogUnderTheQueueVolume() throws IOException {
        refuses(older("log"), queue(), "the log volume is older than the queue volume");
    }

    @Test
    void anOlderLogOfTheSameSegments() throws IOException {
        // No segment was begun since the copy, but the clean stop says how far the log had come.
        Path copy = folder.resolve("copy");
        try (QueueStore store = open(log(), queue())) {
            // A start goes on in a new segment.
            accepted.add(enqueue(store));
            StoreUnderTest.copy(log(), copy);
            accepted.add(enqueue(store));
        }
        refuses(copy, queue(), "had been synced", "the log volume is older than the queue volume");
    }

    @Test
    void anEmptiedDatabase() throws IOException {
        Path database = queue().resolve(QueueDatabase.FOLDER);
        StoreUnderTest.delete(database);
        refuses(log(), queue(), "has lost its file CURRENT, or was emptied", "restore the queue");
        Files.createDirectories(database);
        refuses(log(), queue(), "has lost its file CURRENT, or was emptied");
    }

    @Test
    void aDatabaseWithoutItsCurrentOrManifest() throws IOException {
        Path database = queue().resolve(QueueDatabase.FOLDER);
        Path current = database.resolve("CURRENT");
        String manifest = Files.readString(current).strip();
        Files.delete(database.resolve(manifest));
        refuses(log(), queue(), "can't open the queue database", manifest, "restore the queue");
        Files.delete(current);
        refuses(log(), queue(), "has lost its file CURRENT, or was emptied");
    }

    @Test
    void anEmptiedLogVolume() throws IOException {
        StoreUnderTest.delete(segments());
        refuses(log(), queue(), "the log ends at generation 0", "the newest segment is missing");
        StoreUnderTest.delete(log());
        Files.createDirectories(log());
        refuses(log(), queue(), "the log volume " + log() + " is missing or not mounted");
    }

    @Test
    void theNewestSegmentDeletedAfterAKill() throws IOException {
        Path killed = kill();
        Files.delete(newest(killed));
        refuses(killed.resolve("log"), killed.resolve("queue"), "the newest segment is missing");
    }

    @Test
    void theNewestSegmentDeletedAfterACleanStop() throws IOException {
        Files.delete(newest(folder.resolve("now")));
        refuses(log(), queue(), "the newest segment is missing");
    }

    @Test
    void theNewestSegmentsHeaderZeroed() throws IOException {
        Path killed = kill();
        Path newest = newest(killed);
        overwrite(newest, 0, 4096);
        refuses(
                killed.resolve("log"),
                killed.resolve("queue"),
                "its header was zeroed (segment-",
                "put back the missing files");
    }

    @Test
    void aMissingDamagedOrForeignWitness() throws IOException {
        Path witness = queue().resolve(StoreWitness.FILE);
        byte[] octets = Files.readAllBytes(witness);
        overwrite(witness, 33, 1);
        refuses(log(), queue(), StoreWitness.FILE + " is damaged", "which may be older");
        Files.write(witness, new byte[0]);
        refuses(log(), queue(), StoreWitness.FILE + " is damaged");
        Files.delete(witness);
        refuses(log(), queue(), StoreWitness.FILE + " is missing", "which may be older");
        fill(folder.resolve("other/log"), folder.resolve("other/queue"), 0);
        Files.copy(folder.resolve("other/queue").resolve(StoreWitness.FILE), witness);
        refuses(log(), queue(), "belongs to store", "not to");
        Files.delete(witness);
        Files.copy(older("queue").resolve(StoreWitness.FILE), witness);
        try (QueueStore store = open(log(), queue())) {
            assertWhole(store);
        }
        Files.write(witness, octets);
    }

    @Test
    void swappedVolumes() throws IOException {
        refuses(queue(), log(), "swapped: give " + log() + " as the log volume");
    }

    @Test
    void bothFoldersGone() throws IOException {
        Path log = folder.resolve("mount/log");
        Path queue = folder.resolve("mount/queue");
        assertThatThrownBy(() -> QueueStore.open(existingOnly(log, queue)))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("there is no queue", "check the two folders", "mounted")
                .hasMessageNotContaining("\n");
        assertThat(folder.resolve("mount")).doesNotExist();
        try (QueueStore store = open(log, queue)) {
            assertThat(store.isNew()).isTrue();
        }
        QueueStore.open(existingOnly(log, queue)).close();
    }

    @Test
    void aFileWhereAVolumeShouldBe() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> open(file, queue()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(file + ": there is a file where a folder should be")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void aCopyOfOneVolumeInUse() throws IOException {
        Path copy = folder.resolve("copy");
        StoreUnderTest.copy(queue(), copy);
        try (QueueStore store = open(log(), queue())) {
            long self = ProcessHandle.current().pid();
            assertThatThrownBy(() -> open(log(), copy))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(
                            "the log volume " + log() + " is in use by process " + self);
            assertThatThrownBy(() -> open(older("log"), queue()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(
                            "the queue volume " + queue() + " is in use by process " + self);
            assertWhole(store);
        }
    }

    @Test
    void aStartThatIsCutOffWhileItMakesTheStore() throws IOException {
        Path log = folder.resolve("new/log");
        Path queue = folder.resolve("new/queue");
        Files.createDirectories(log);
        Files.createDirectories(queue);
        StoreIdentity.begin(log, queue);
        fill(log, queue, 0);

        StoreUnderTest.delete(folder.resolve("new"));
        Files.createDirectories(log);
        Files.createDirectories(queue);
        StoreStart.create(StoreIdentity.begin(log, queue), queue, false);
        fill(log, queue, 0);

        StoreUnderTest.delete(folder.resolve("new"));
        Files.createDirectories(log);
        Files.createDirectories(queue);
        StoreStart.create(StoreIdentity.begin(log, queue), queue, false);
        // The first of the two names is there.
        Files.move(queue.resolve("hubmark-store.new"), queue.resolve(StoreIdentity.FILE));
        QueueStore.open(existingOnly(log, queue)).close();
        assertThat(log.resolve(StoreIdentity.FILE)).exists();
    }

    /** {@return a copy of both volumes as a process leaves them that is killed just after mail} */
    private Path kill() throws IOException {
        Path killed = folder.resolve("killed");
        try (QueueStore store = open(log(), queue())) {
            for (int i = 0; i < MESSAGES; i++) {
                enqueue(store);
            }
            awaitWitness();
            StoreUnderTest.copyAtRest(folder.resolve("now"), killed);
        }
        return killed;
    }

    /** The witness is kept beside the committer: waits until it has caught up. */
    private void awaitWitness() throws IOException {
        StoreIdentity identity = StoreIdentity.require(log(), queue());
        while (StoreWitness.read(queue(), identity.store()).generation() < generation(newest())) {
            Thread.onSpinWait();
        }
    }

    private Path newest() throws IOException {
        return newest(folder.resolve("now"));
    }

    private static Path newest(Path store) throws IOException {
        Path newest = null;
        try (Stream<Path> files = Files.list(store.resolve("log/segments"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".log")).toList()) {
                if (newest == null || generation(file) > generation(newest)) {
                    newest = file;
                }
            }
        }
        return Objects.requireNonNull(newest);
    }

    private static long generation(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            ByteBuffer generation = ByteBuffer.allocate(Long.BYTES);
            file.read(generation, 32);
            return generation.getLong(0);
        }
    }

    private static void overwrite(Path path, long position, int count) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            ByteBuffer octets = ByteBuffer.allocate(count);
            if (count == 1) {
                octets.put(0, (byte) 0x55);
            }
            file.write(octets, position);
        }
    }

    private void refuses(Path log, Path queue, String... texts) throws IOException {
        byte[] before = digest();
        assertThatThrownBy(() -> open(log, queue))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(texts)
                .hasMessageNotContaining("\n");
        assertThat(digest()).as("the segments and their names").isEqualTo(before);
        // Who only looks is told the same.
        assertThatThrownBy(() -> QueueReader.open(log, queue))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(texts);
    }

    /** {@return what a refusal must not change} */
    private byte[] digest() throws IOException {
        CRC32C crc = new CRC32C();
        if (Files.isDirectory(segments())) {
            try (Stream<Path> files = Files.list(segments())) {
                for (Path file : files.sorted().toList()) {
                    crc.update(file.toString().getBytes(StandardCharsets.UTF_8));
                    crc.update(Files.readAllBytes(file));
                }
            }
        }
        return ByteBuffer.allocate(Long.BYTES).putLong(crc.getValue()).array();
    }

    private void fill(Path log, Path queue, int messages) throws IOException {
        try (QueueStore store = open(log, queue)) {
            for (int i = 0; i < messages; i++) {
                accepted.add(enqueue(store));
            }
        }
    }

    private QueueId enqueue(QueueStore store) {
        Content content =
                Objects.requireNonNull(Content.open(store.nextId(), budget, CONTENT_BYTES));
        QueueId id = content.id();
        byte[] octets = StoreUnderTest.octets(id.value(), CONTENT_BYTES);
        content.append(octets, 0, octets.length);
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        Envelope envelope = new Envelope(
                "from@example.org",
                List.of("to@example.org"),
                BodyType.SEVEN_BIT,
                StoreUnderTest.START,
                "");
        store.enqueue(envelope, content, answer::complete);
        assertThat(answer.join()).isInstanceOf(Receipt.Queued.class);
        return id;
    }

    private void assertWhole(QueueStore store) {
        List<QueueId> missing = new ArrayList<>(accepted);
        missing.removeIf(id -> store.find(id).isPresent());
        assertThat(missing).as("accepted and gone, of %s", accepted.size()).isEmpty();
    }

    private static QueueStore open(Path log, Path queue) throws StoreException {
        return QueueStore.open(
                configuration(log, queue, false),
                LOG,
                volume -> new DirectoryVolume(volume.resolve(StoreStart.SEGMENTS_FOLDER)));
    }

    private static StoreConfiguration existingOnly(Path log, Path queue) {
        return configuration(log, queue, true);
    }

    private static StoreConfiguration configuration(Path log, Path queue, boolean existingOnly) {
        return new StoreConfiguration(
                log,
                queue,
                new Durability.Synced(),
                1 << 20,
                Settings.defaults(),
                InstantSource.system(),
                existingOnly);
    }

    private Path log() {
        return folder.resolve("now/log");
    }

    private Path queue() {
        return folder.resolve("now/queue");
    }

    private Path segments() {
        return log().resolve(StoreStart.SEGMENTS_FOLDER);
    }

    private Path older(String volume) {
        return folder.resolve("older").resolve(volume);
    }
}
