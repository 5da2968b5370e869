package org.hubmark.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

/** What the tests of the log share: one store's id, small segments, records easily told apart. */
final class LogFixture {
    static final UUID STORE = new UUID(0x1234_5678_9abc_def0L, 42);
    static final IntakeLog.Size SIZE = new IntakeLog.Size(64 << 10, 6, 0);

    /** A record as a test wrote or found it. */
    record Entry(RecordType type, long id, String head, String content) {}

    private LogFixture() {}

    static IntakeLog open(Volume volume, List<Entry> found) throws IOException {
        return open(volume, 0, found, new LogDamage(false, Long::toString));
    }

    static IntakeLog open(Volume volume, long replayFrom, List<Entry> found, LogDamage damage)
            throws IOException {
        Counterpart counterpart = new Counterpart(replayFrom, () -> 0, LogWitness.NONE);
        return open(volume, counterpart, record -> found.add(entry(record)), damage);
    }

    static IntakeLog open(
            Volume volume, Counterpart counterpart, LogRecord.Visitor visitor, LogDamage damage)
            throws IOException {
        return IntakeLog.open(volume, STORE, SIZE, counterpart, visitor, damage, Runnable::run);
    }

    static Entry entry(LogRecord record) {
        return new Entry(record.type(), record.id(), text(record.head()), text(record.content()));
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
    }

    static ByteBuffer bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** Adds a record, writing what is open and rotating as a committer would. */
    static LogPosition add(LogWriter writer, Entry entry) throws IOException {
        int headBytes = entry.head().length();
        while (!writer.fits(headBytes, entry.content().length())) {
            if (writer.recordCount() > 0) {
                writer.write();
                writer.sync();
            } else if (!writer.openNext(true)) {
                throw new IOException("no spare segment");
            }
        }
        ByteBuffer head = writer.start(entry.type(), entry.id(), headBytes);
        head.put(entry.head().getBytes(StandardCharsets.ISO_8859_1));
        ByteBuffer content = bytes(entry.content());
        CRC32C checksum = new CRC32C();
        checksum.update(content.duplicate());
        return writer.finish(content, (int) checksum.getValue());
    }

    static void commit(LogWriter writer, Entry... entries) throws IOException {
        for (Entry entry : entries) {
            add(writer, entry);
        }
        writer.write();
        writer.sync();
    }

    static Entry random(Random random, long id, int contentBytesMax) {
        RecordType[] types = RecordType.values();
        return new Entry(
                types[random.nextInt(types.length)],
                id,
                "head of " + id + " ".repeat(random.nextInt(60)),
                randomText(random, random.nextInt(contentBytesMax)));
    }

    /** {@return some groups, one record of some kilobytes each, all synced} */
    static List<Entry> commitGroups(IntakeLog log, int count, long seed) throws IOException {
        Random random = new Random(seed);
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Entry entry =
                    new Entry(RecordType.ENQUEUE, i + 1, "head " + i, randomText(random, 5000));
            commit(log.writer(), entry);
            entries.add(entry);
        }
        return entries;
    }

    private static String randomText(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
