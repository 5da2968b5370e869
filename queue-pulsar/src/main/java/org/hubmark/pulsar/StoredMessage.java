package org.hubmark.pulsar;

import org.hubmark.core.BodyType;
import org.hubmark.core.Coded;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.RecipientResult;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What stands before the content in a message of the topic: a header with the envelope and how far
 * each recipient has got. Its format is in docs/scale-out.md.
 *
 * @param id the queue id
 * @param envelope the envelope
 * @param attempts how many attempts were made
 * @param results one for each forward-path, or empty if nothing was settled for any
 */
record StoredMessage(QueueId id, Envelope envelope, int attempts, List<RecipientResult> results) {
    static final int VERSION = 1;

    /** "HMPQ". */
    private static final int MAGIC = 0x484d5051;

    /** Magic, version, length and checksum of the header behind them. */
    static final int PREFIX_BYTES = 4 + 1 + 4 + 4;

    StoredMessage {
        results = List.copyOf(results);
    }

    /** What came isn't a message of ours, or one of a version that we don't know. */
    static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /** A header that was read, and where the content begins behind it. */
    record Parsed(StoredMessage message, int contentOffset) {}

    /** {@return the header's octets} The content follows them. */
    byte[] header() {
        byte[] fields = fields();
        CRC32C crc = new CRC32C();
        crc.update(fields);
        return ByteBuffer.allocate(PREFIX_BYTES + fields.length)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .putInt(fields.length)
                .putInt((int) crc.getValue())
                .put(fields)
                .array();
    }

    /** {@return the header, and behind it the content that stands behind another one} */
    byte[] with(byte[] message, int contentOffset) {
        byte[] header = header();
        int contentBytes = message.length - contentOffset;
        byte[] octets = Arrays.copyOf(header, header.length + contentBytes);
        System.arraycopy(message, contentOffset, octets, header.length, contentBytes);
        return octets;
    }

    /** Reads a header from the beginning of a message of the topic. */
    static Parsed parse(byte[] message) throws UnreadableException {
        if (message.length < PREFIX_BYTES) {
            throw new UnreadableException("it is not a message of a hub: too short");
        }
        ByteBuffer prefix = ByteBuffer.wrap(message);
        if (prefix.getInt() != MAGIC) {
            throw new UnreadableException("it is not a message of a hub: it begins otherwise");
        }
        int version = prefix.get();
        if (version != VERSION) {
            throw new UnreadableException(
                    "its format is version " + version + ", this hub knows " + VERSION);
        }
        int length = prefix.getInt();
        int checksum = prefix.getInt();
        if (length < 0 || length > message.length - PREFIX_BYTES) {
            throw new UnreadableException("its header is cut off");
        }
        CRC32C crc = new CRC32C();
        crc.update(message, PREFIX_BYTES, length);
        if ((int) crc.getValue() != checksum) {
            throw new UnreadableException("its header is damaged: the checksum differs");
        }
        try {
            DataInputStream in =
                    new DataInputStream(new ByteArrayInputStream(message, PREFIX_BYTES, length));
            return new Parsed(read(in), PREFIX_BYTES + length);
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            throw new UnreadableException("its header is malformed: " + e.getMessage());
        }
    }

    private byte[] fields() {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(256);
        try {
            DataOutputStream out = new DataOutputStream(octets);
            out.writeLong(id.value());
            Instant receivedAt = envelope.receivedAt();
            out.writeLong(receivedAt.getEpochSecond());
            out.writeInt(receivedAt.getNano());
            out.writeByte(envelope.bodyType().code());
            out.writeInt(attempts);
            writeText(out, envelope.reversePath());
            writeText(out, envelope.peer());
            out.writeInt(envelope.forwardPaths().size());
            for (String forwardPath : envelope.forwardPaths()) {
                writeText(out, forwardPath);
            }
            out.writeInt(results.size());
            for (RecipientResult result : results) {
                out.writeByte(result.state().code());
                writeText(out, result.reply());
            }
        } catch (IOException e) {
            // Never, in memory.
            throw new UncheckedIOException(e);
        }
        return octets.toByteArray();
    }

    private static StoredMessage read(DataInputStream in) throws IOException {
        QueueId id = new QueueId(in.readLong());
        Instant receivedAt = Instant.ofEpochSecond(in.readLong(), in.readInt());
        BodyType bodyType = Coded.of(BodyType.class, in.readByte());
        int attempts = in.readInt();
        String reversePath = readText(in);
        String peer = readText(in);
        int recipients = readCount(in);
        List<String> forwardPaths = new ArrayList<>();
        for (int i = 0; i < recipients; i++) {
            forwardPaths.add(readText(in));
        }
        int settled = readCount(in);
        if (settled != 0 && settled != recipients) {
            throw new IOException(settled + " results for " + recipients + " recipients");
        }
        List<RecipientResult> results = new ArrayList<>();
        for (int i = 0; i < settled; i++) {
            results.add(new RecipientResult(
                    Coded.of(RecipientResult.State.class, in.readByte()), readText(in)));
        }
        if (in.available() > 0) {
            throw new IOException(in.available() + " octets too many");
        }
        Envelope envelope = new Envelope(reversePath, forwardPaths, bodyType, receivedAt, peer);
        return new StoredMessage(id, envelope, attempts, results);
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(octets.length);
        out.write(octets);
    }

    private static String readText(DataInputStream in) throws IOException {
        int length = readCount(in);
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** Everything counted takes an octet or more, so no count is greater than what is left. */
    private static int readCount(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > in.available()) {
            throw new IOException(
                    "a count of " + count + " with " + in.available() + " octets left");
        }
        return count;
    }
}
