package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.QueueId;
import org.hubmark.core.StoreException;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
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
    @CsvFileSource(resources = "no-stores.csv", delimiter = '|')
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

    /**
     * Steps on the files of volume-mixes.csv: {@code older} puts a part there as it was when it was copied, and
     * {@code copy} another; {@code octet} changes one. What is behind {@code refuses} is in the one line that is said,
     * with {@code @} for the folder; {@code opens} is with all mail.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "volume-mixes.csv", delimiter = '|')
    void aPartThatIsOlderDamagedOrLost(String steps) throws IOException {
        for (String step : steps.split("; ", -1)) {
            String[] words = step.split(" ", 3);
            Path file = folder.resolve(words.length > 1 ? words[1] : "");
            switch (words[0]) {
                case "older" ->
                    put(
                            Path.of("older").resolve(Path.of("now").relativize(Path.of(words[1]))),
                            file);
                case "copy" -> put(Path.of(words[2]), file);
                case "delete" -> SimulatedDatabase.delete(file);
                case "deleteNewest" ->
                    Files.delete(Collections.max(StoreUnderTest.sizes(file).keySet()));
                case "cutNewest" ->
                    cutOff(Collections.max(StoreUnderTest.sizes(file).keySet()));
                case "deleteManifest" ->
                    Files.delete(file.resolve(
                            Files.readString(file.resolve("CURRENT")).strip()));
                case "mkdir" -> Files.createDirectories(file);
                case "empty" -> Files.write(file, new byte[0]);
                case "octet" -> overwrite(file, Long.parseLong(words[2]), new byte[] {0x55});
                case "opens" -> opensWhole(log(), queue());
                default ->
                    refuses(
                            log(),
                            queue(),
                            step.substring(8).replace("@", folder.toString()).split(" & ", -1));
            }
        }
    }

    private void put(Path from, Path to) throws IOException {
        SimulatedDatabase.delete(to);
        StoreUnderTest.copy(folder.resolve(from), to);
    }

    private static void cutOff(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
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
}
