package org.hubmark.bench.durability.unsynced;

import org.hubmark.core.OutputFile;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Events in a file, one after the other. One thread. */
final class FileRecord implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private static final int NAMED = 1;
    private static final int UNNAMED = 2;
    private static final int RENAMED = 3;
    private static final int WRITTEN = 4;
    private static final int SIZED = 5;
    private static final int ZEROED = 6;
    private static final int FLUSH_BEGUN = 7;
    private static final int FLUSH_DONE = 8;

    private final DataOutputStream out;

    FileRecord(Path file) throws IOException {
        this.out = new DataOutputStream(
                new BufferedOutputStream(OutputFile.begin(file), BUFFER_BYTES));
    }

    void add(FileEvent event) throws IOException {
        switch (event) {
            case FileEvent.Named named -> {
                begin(NAMED, event);
                out.writeLong(named.node());
                out.writeBoolean(named.folder());
                out.writeLong(named.parent());
                out.writeUTF(named.name());
            }
            case FileEvent.Unnamed unnamed -> {
                begin(UNNAMED, event);
                out.writeLong(unnamed.parent());
                out.writeUTF(unnamed.name());
            }
            case FileEvent.Renamed renamed -> {
                begin(RENAMED, event);
                out.writeLong(renamed.parent());
                out.writeUTF(renamed.name());
                out.writeLong(renamed.toParent());
                out.writeUTF(renamed.toName());
                out.writeBoolean(renamed.exchanged());
            }
            case FileEvent.Written written -> {
                begin(WRITTEN, event);
                out.writeLong(written.node());
                out.writeLong(written.position());
                byte[] octets = new byte[written.octets().remaining()];
                written.octets().get(written.octets().position(), octets);
                out.writeInt(octets.length);
                out.write(octets);
            }
            case FileEvent.Sized sized -> {
                begin(SIZED, event);
                out.writeLong(sized.node());
                out.writeLong(sized.bytes());
            }
            case FileEvent.Zeroed zeroed -> {
                begin(ZEROED, event);
                out.writeLong(zeroed.node());
                out.writeLong(zeroed.from());
                out.writeLong(zeroed.to());
            }
            case FileEvent.FlushBegun begun -> {
                begin(FLUSH_BEGUN, event);
                out.writeInt(begun.flush());
                out.writeLong(begun.node());
                out.writeUTF(begun.call().name());
                out.writeLong(begun.from());
                out.writeLong(begun.to());
            }
            case FileEvent.FlushDone done -> {
                begin(FLUSH_DONE, event);
                out.writeInt(done.flush());
            }
        }
    }

    private void begin(int type, FileEvent event) throws IOException {
        out.writeByte(type);
        out.writeLong(event.nanos());
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Reads all events of a file; what its end has only a part of is left out. */
    static void read(Path file, Consumer<FileEvent> events) throws IOException {
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
            for (int type = in.read(); type >= 0; type = in.read()) {
                events.accept(next(type, in));
            }
        } catch (EOFException e) {
            // The recorder was killed while it wrote.
            return;
        }
    }

    private static FileEvent next(int type, DataInputStream in) throws IOException {
        long nanos = in.readLong();
        return switch (type) {
            case NAMED ->
                new FileEvent.Named(
                        nanos, in.readLong(), in.readBoolean(), in.readLong(), in.readUTF());
            case UNNAMED -> new FileEvent.Unnamed(nanos, in.readLong(), in.readUTF());
            case RENAMED ->
                new FileEvent.Renamed(
                        nanos,
                        in.readLong(),
                        in.readUTF(),
                        in.readLong(),
                        in.readUTF(),
                        in.readBoolean());
            case WRITTEN -> {
                long node = in.readLong();
                long position = in.readLong();
                byte[] octets = new byte[in.readInt()];
                in.readFully(octets);
                yield new FileEvent.Written(nanos, node, position, ByteBuffer.wrap(octets));
            }
            case SIZED -> new FileEvent.Sized(nanos, in.readLong(), in.readLong());
            case ZEROED -> new FileEvent.Zeroed(nanos, in.readLong(), in.readLong(), in.readLong());
            case FLUSH_BEGUN ->
                new FileEvent.FlushBegun(
                        nanos,
                        in.readInt(),
                        in.readLong(),
                        FileEvent.Call.valueOf(in.readUTF()),
                        in.readLong(),
                        in.readLong());
            case FLUSH_DONE -> new FileEvent.FlushDone(nanos, in.readInt());
            default -> throw new IOException("not a record of files: type " + type);
        };
    }
}
