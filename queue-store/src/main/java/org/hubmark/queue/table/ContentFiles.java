package org.hubmark.queue.table;

import org.hubmark.core.PrivateFiles;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;
import org.hubmark.queue.log.VolumeFullException;
import org.rocksdb.RocksDBException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files that hold the content of the messages in the queue database: extents one behind the
 * other, as they are. The database says where each lies, and which files there are with how much
 * of them is durable. Nothing is written twice in one place: a {@code ContentWriter} appends to a
 * file of its own, never to one that an earlier process has left, and {@code ContentCompaction}
 * deletes a file whole.
 *
 * <p>Any thread. Every file stays open until it is deleted, with fewer descriptors when it is not written any
 * more, so that reading needs none.
 */
public final class ContentFiles implements AutoCloseable {
    /** Folder of the content files on the queue volume. */
    public static final String FOLDER = "content";

    /** With less the last write may have had no room. */
    private static final long FREE_BYTES_MIN = 1 << 20;

    private static final Pattern NAME = Pattern.compile("content-(\\d{6,18})\\.data");

    private final Volume volume;
    private final ConcurrentSkipListMap<Long, ContentFile> files = new ConcurrentSkipListMap<>();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private long lastNumber;
    private boolean closed;

    /** A file, and how much of it has been written. */
    private static final class ContentFile {
        private final VolumeFile file;
        private volatile long bytes;

        ContentFile(VolumeFile file, long bytes) {
            this.file = file;
            this.bytes = bytes;
        }
    }

    private ContentFiles(Volume volume) {
        this.volume = volume;
    }

    /** {@return where the content files of a queue volume lie} */
    static Volume folder(Path queueVolume, boolean direct) throws IOException {
        Path folder = PrivateFiles.createFolders(queueVolume.resolve(FOLDER));
        return direct
                ? DirectoryVolume.direct(folder, PrivateFiles.ofFiles(folder))
                : new DirectoryVolume(folder, PrivateFiles.ofFiles(folder));
    }

    /** {@return the same, where nothing may be changed} */
    public static Volume readOnly(Path queueVolume) {
        return DirectoryVolume.readOnly(queueVolume.resolve(FOLDER));
    }

    /**
     * Opens the files of a database. It changes nothing: they may be another database's.
     *
     * @param durableBytes of each file, by its number
     * @throws StoreException if one is missing or too short
     */
    public static ContentFiles open(Volume volume, Map<Long, Long> durableBytes)
            throws IOException {
        ContentFiles content = new ContentFiles(volume);
        try {
            List<Long> present = content.numbers();
            for (Map.Entry<Long, Long> expected : durableBytes.entrySet()) {
                long number = expected.getKey();
                if (!present.contains(number)) {
                    throw new StoreException("the content file " + volume.describe(name(number))
                            + " is missing; restore the queue volume from a copy");
                }
                content.openFile(number, expected.getValue());
            }
            // No number is used twice, also not that of a file that goes.
            present.forEach(number -> content.lastNumber = Math.max(content.lastNumber, number));
            return content;
        } catch (IOException | RuntimeException | Error e) {
            content.close();
            throw e;
        }
    }

    /**
     * Deletes the files that no database names: of moves that had not ended, whose mail is in the
     * log.
     */
    public void deleteUnnamed() throws IOException {
        for (long number : numbers()) {
            if (!files.containsKey(number)) {
                volume.delete(name(number));
            }
        }
    }

    private List<Long> numbers() throws IOException {
        List<Long> numbers = new ArrayList<>();
        for (String name : volume.list()) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                numbers.add(Long.parseLong(matcher.group(1)));
            }
        }
        return numbers;
    }

    private void openFile(long number, long durableBytes) throws IOException {
        VolumeFile file = volume.openToRead(name(number));
        long bytes = file.length();
        files.put(number, new ContentFile(file, bytes));
        if (bytes < durableBytes) {
            throw new StoreException("the content file " + volume.describe(name(number)) + " has "
                    + bytes + " bytes, the queue database relies on " + durableBytes
                    + "; restore the queue volume from a copy");
        }
    }

    /** {@return the number of a new, empty file} Its name is durable after {@link #sync}. */
    public synchronized long create() throws IOException {
        if (closed) {
            throw new IOException("the queue is closed");
        }
        lastNumber++;
        files.put(lastNumber, new ContentFile(volume.create(name(lastNumber)), 0));
        return lastNumber;
    }

    /** Appends what remains in the buffer, at the file's end. One thread for each file. */
    public void write(long number, long end, ByteBuffer octets) throws IOException {
        ContentFile target = require(number);
        int count = octets.remaining();
        writes.add(target.file.write(end, new ByteBuffer[] {octets}, 1));
        bytesWritten.add(count);
        target.bytes = end + count;
    }

    /** Makes a file durable. */
    public void sync(long number, boolean nameToo) throws IOException {
        require(number).file.sync();
        if (nameToo) {
            volume.syncNames();
        }
    }

    /** Nothing is appended to a file any more, which is synced. */
    public void endFile(long number) throws IOException {
        require(number).file.endWriting();
    }

    /**
     * {@return the octets of an extent, verified}
     *
     * @throws IOException if they can't be read, or are not what was written
     */
    public byte[] read(ContentPlace place) throws IOException {
        byte[] octets = readUnverified(place);
        if (!place.extent().matches(octets)) {
            throw new IOException(describe(place) + ": the content doesn't match its checksum");
        }
        return octets;
    }

    /** {@return the octets of an extent, which may be damaged} */
    public byte[] readUnverified(ContentPlace place) throws IOException {
        ContentFile file = require(place.file());
        byte[] octets = new byte[place.extent().lengthBytes()];
        reads.increment();
        if (file.file.read(place.offset(), ByteBuffer.wrap(octets)) < octets.length) {
            throw new IOException(describe(place) + ": the file ends before the content does");
        }
        return octets;
    }

    /** Deletes a file that nothing relies on, neither in memory nor on the volume. */
    public void delete(long number) throws IOException {
        ContentFile file = files.remove(number);
        if (file != null) {
            file.file.close();
            volume.delete(name(number));
        }
    }

    /**
     * {@return whether a write to the queue volume failed for want of room, so that it can be tried again}
     * Java says that by a text in the operator's language only, so what is free counts too.
     */
    public boolean isFull(IOException failure) {
        try {
            return failure instanceof VolumeFullException
                    || (!(failure.getCause() instanceof RocksDBException)
                            && (VolumeFullException.isCause(failure)
                                    || volume.freeBytes() < FREE_BYTES_MIN));
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return how many files there are} */
    public int count() {
        return files.size();
    }

    /** {@return bytes of all files, garbage in them too} */
    public long bytes() {
        long bytes = 0;
        for (ContentFile file : files.values()) {
            bytes += file.bytes;
        }
        return bytes;
    }

    /** {@return the bytes of each file below a number} */
    public NavigableMap<Long, Long> bytesBelow(long number) {
        NavigableMap<Long, Long> bytes = new TreeMap<>();
        files.headMap(number).forEach((found, file) -> bytes.put(found, file.bytes));
        return bytes;
    }

    /** {@return a number that the next file will not be below} */
    public synchronized long nextNumber() {
        return lastNumber + 1;
    }

    String describe(ContentPlace place) {
        return volume.describe(name(place.file())) + ", offset " + place.offset();
    }

    long bytesWritten() {
        return bytesWritten.sum();
    }

    /** {@return write calls so far} */
    public long writes() {
        return writes.sum();
    }

    long reads() {
        return reads.sum();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        for (ContentFile file : files.values()) {
            file.file.close();
        }
    }

    private ContentFile require(long number) throws IOException {
        ContentFile file = files.get(number);
        if (file == null) {
            throw new IOException("the content file " + volume.describe(name(number)) + " is gone");
        }
        return file;
    }

    private static String name(long number) {
        return "content-" + LogFormat.sixDigits(number) + ".data";
    }
}
