package org.hubmark.hub.delivery;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.ContentSource;
import org.hubmark.core.Envelope;
import org.hubmark.core.FileErrors;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.QueueId;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A folder that holds each message as two files: its content in {@code ID.eml} and its envelope in
 * {@code ID.json}. Each is complete when it appears, the content first, and both are on the medium
 * when {@link #write} returns. Writing a message again changes nothing. Where another message has the id, as
 * one of another hub may, the files are named {@code ID-2}, then {@code ID-3}: no file is replaced. Only their
 * owner can read them.
 *
 * <p>Any thread, as long as no two write the same message at once.
 */
public final class MessageFolder {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int COPY_BYTES = 64 << 10;

    private final Path folder;
    /** Keeps temporary files apart from those of another process that writes here too. */
    private final String temporaryEnding =
            "." + Integer.toHexString(ThreadLocalRandom.current().nextInt()) + ".tmp";

    private MessageFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens a folder, making it where it is absent.
     *
     * @throws IOException if it isn't a folder, or can't be written; the message says which and why
     */
    public static MessageFolder open(Path folder) throws IOException {
        try {
            PrivateFiles.createFolders(folder);
            requireLinks(Files.createTempFile(folder, ".hubmark-", ".probe"));
            return new MessageFolder(folder);
        } catch (IOException e) {
            throw new IOException(
                    "can't write messages to " + folder + ": " + FileErrors.text(e), e);
        }
    }

    private static void requireLinks(Path probe) throws IOException {
        Path link = probe.resolveSibling(probe.getFileName() + ".link");
        try {
            Files.createLink(link, probe);
            Files.delete(link);
        } catch (IOException | UnsupportedOperationException e) {
            throw new IOException("its file system has no hard links; name a folder on another", e);
        } finally {
            Files.delete(probe);
        }
    }

    /**
     * Writes one message.
     *
     * @throws IOException if the folder can't be written
     * @throws UncheckedIOException if the content can't be read: that is not the folder's fault
     */
    public void write(QueueId id, Envelope envelope, long sizeBytes, ContentSource content)
            throws IOException {
        Path message = temporary(id, ".eml");
        Path description = temporary(id, ".json");
        try {
            writeContent(message, content);
            writeEnvelope(description, id, envelope, sizeBytes);
            String name = id.toString();
            for (int other = 2; !publish(message, description, name); other++) {
                name = id + "-" + other;
            }
            syncFolder();
        } finally {
            Files.deleteIfExists(message);
            Files.deleteIfExists(description);
        }
    }

    private Path temporary(QueueId id, String ending) {
        return folder.resolve("." + id + ending + temporaryEnding);
    }

    private static void writeContent(Path file, ContentSource content) throws IOException {
        try (FileChannel out = PrivateFiles.createAnew(file);
                InputStream in = open(content)) {
            OutputStream octets = Channels.newOutputStream(out);
            byte[] buffer = new byte[COPY_BYTES];
            int length = read(in, buffer);
            while (length >= 0) {
                octets.write(buffer, 0, length);
                length = read(in, buffer);
            }
            out.force(true);
        }
    }

    private static void writeEnvelope(Path file, QueueId id, Envelope envelope, long sizeBytes)
            throws IOException {
        ObjectNode fields = JSON.createObjectNode();
        fields.put("id", id.toString());
        fields.put("reverse_path", envelope.reversePath());
        ArrayNode forwardPaths = fields.putArray("forward_paths");
        envelope.forwardPaths().forEach(forwardPaths::add);
        fields.put("size_bytes", sizeBytes);
        fields.put("received_at", envelope.receivedAt().toString());
        try (FileChannel out = PrivateFiles.createAnew(file)) {
            Channels.newOutputStream(out).write(JSON.writeValueAsBytes(fields));
            out.force(true);
        }
    }

    /** {@return false if there is another message of that name} */
    private boolean publish(Path message, Path description, String name) throws IOException {
        Path content = folder.resolve(name + ".eml");
        Path envelope = folder.resolve(name + ".json");
        return !isOther(description, envelope)
                && publish(message, content)
                && publish(description, envelope);
    }

    /** A link, unlike a move, never replaces what is there. */
    private static boolean publish(Path temporary, Path file) throws IOException {
        try {
            Files.createLink(file, temporary);
            return true;
        } catch (FileAlreadyExistsException e) {
            return !isOther(temporary, file);
        }
    }

    private static boolean isOther(Path written, Path file) throws IOException {
        // To open a pipe that somebody has put there waits for whoever writes to it.
        return Files.exists(file)
                && (!Files.isRegularFile(file) || Files.mismatch(written, file) >= 0);
    }

    /** Without it the names, unlike the files, may be gone after a power loss. */
    private void syncFolder() throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static InputStream open(ContentSource content) {
        try {
            return content.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int read(InputStream in, byte[] buffer) {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
