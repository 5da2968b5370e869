package org.hubmark.queue;

import org.hubmark.core.FileErrors;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.LogWitness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The file {@code hubmark-witness} on the queue volume: what this volume knows of the log on the
 * other one, so that a log which has lost its newest segment is recognised. One sector, written over
 * in place: it needs no room, and is never torn. What it says is a lower bound, so an older copy of
 * it is as true.
 *
 * <p>Its form, big-endian: magic "HUBMKWIT" (8 octets), format version (4), CRC32C of the sector with
 * this field as zero (4), store id (16), generation (8), synced through (8), zeros up to 512.
 *
 * <p>The checkpointer's thread keeps it; opening and closing are the store's.
 */
final class StoreWitness implements AutoCloseable {
    static final String FILE = "hubmark-witness";
    private static final long MAGIC =
            ByteBuffer.wrap("HUBMKWIT".getBytes(StandardCharsets.US_ASCII)).getLong();
    private static final int VERSION = 1;

    private final FileChannel file;
    private final UUID store;
    private LogWitness known;

    private StoreWitness(FileChannel file, UUID store, LogWitness known) {
        this.file = file;
        this.store = store;
        this.known = known;
    }

    /** Makes the witness of a new store, durably. */
    static void create(Path queueVolume, UUID store) throws IOException {
        try (FileChannel file = PrivateFiles.open(queueVolume.resolve(FILE))) {
            new StoreWitness(file, store, LogWitness.NONE).write(LogWitness.NONE);
        }
        PrivateFiles.syncNames(queueVolume);
    }

    /**
     * Opens the witness of a store that was made before.
     *
     * @throws StoreException if it is missing, damaged or another store's
     */
    static StoreWitness open(Path queueVolume, UUID store) throws IOException {
        LogWitness known = read(queueVolume, store);
        FileChannel file = FileChannel.open(queueVolume.resolve(FILE), StandardOpenOption.WRITE);
        return new StoreWitness(file, store, known);
    }

    /** {@return what the queue volume knows of the log} */
    static LogWitness read(Path queueVolume, UUID store) throws IOException {
        Path path = queueVolume.resolve(FILE);
        if (!Files.exists(path)) {
            throw new StoreException(path + " is missing, and without it the hub can't tell whether"
                    + " the log is whole; restore the file from a copy of the queue volume, which"
                    + " may be older");
        }
        ByteBuffer sector = ByteBuffer.allocate(LogFormat.SECTOR_BYTES);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            while (sector.hasRemaining() && file.read(sector) >= 0) {
                // To the end of the file at most.
            }
        } catch (IOException e) {
            throw new StoreException(
                    path + " can't be read: " + FileErrors.reason(e) + "; restore it from a copy of"
                            + " the queue volume, which may be older",
                    e);
        }
        if (sector.hasRemaining()
                || sector.getLong(0) != MAGIC
                || sector.getInt(LogFormat.CHECKSUM_OFFSET) != LogFormat.sectorChecksum(sector)) {
            throw new StoreException(
                    path + " is damaged; restore it from a copy of the queue volume, which may be"
                            + " older");
        }
        if (sector.getInt(8) != VERSION) {
            throw new StoreException(path + " has format " + sector.getInt(8)
                    + ", this version knows format " + VERSION
                    + "; use the version of Hubmark that wrote it");
        }
        UUID owner = new UUID(sector.getLong(16), sector.getLong(24));
        if (!owner.equals(store)) {
            throw new StoreException(path + " belongs to store " + owner + ", not to " + store
                    + "; restore this store's from a copy of the queue volume");
        }
        return new LogWitness(sector.getLong(32), sector.getLong(40));
    }

    /** {@return what it says} */
    LogWitness known() {
        return known;
    }

    /** Notes, durably, that the log has begun another segment; if it has. */
    void keep(LogWitness now) throws IOException {
        if (now.generation() > known.generation()) {
            write(now);
        }
    }

    /** Notes where the log was closed: nothing is written to it any more, and all is synced. */
    void keepAtClose(LogWitness now) throws IOException {
        if (now.generation() >= known.generation() && now.syncedThrough() > known.syncedThrough()) {
            write(now);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void write(LogWitness now) throws IOException {
        ByteBuffer sector = ByteBuffer.allocate(LogFormat.SECTOR_BYTES);
        sector.putLong(MAGIC)
                .putInt(VERSION)
                .putInt(0)
                .putLong(store.getMostSignificantBits())
                .putLong(store.getLeastSignificantBits())
                .putLong(now.generation())
                .putLong(now.syncedThrough());
        sector.putInt(LogFormat.CHECKSUM_OFFSET, LogFormat.sectorChecksum(sector))
                .clear();
        while (sector.hasRemaining()) {
            file.write(sector, sector.position());
        }
        file.force(false);
        known = now;
    }
}
