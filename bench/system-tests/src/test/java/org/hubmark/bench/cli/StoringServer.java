package org.hubmark.bench.cli;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/**
 * A small mail server that keeps each message in a file of its own, rightly or wrongly, for {@link
 * UnsyncedServersTest}. Each connection has a thread of its own.
 */
final class StoringServer {
    private final Way way;
    private final Path spool;
    private final AtomicInteger numbers = new AtomicInteger();

    /** How it keeps mail. */
    enum Way {
        /** Syncs the file, gives it its name, syncs the folder, answers. */
        RIGHT,
        /** Syncs nothing. */
        NEVER,
        /** Syncs the file and not the folder. */
        FILE_ONLY,
        /** Answers before it syncs. */
        EARLY,
        /** Syncs the file of the message before, and the folder. */
        OTHER,
        /** Writes by a mapping that it doesn't force, and syncs the folder. */
        MAPPED,
        /** Does it rightly, in another form. */
        COMPRESSED
    }

    private StoringServer(Way way, Path spool) {
        this.way = way;
        this.spool = spool;
    }

    /**
     * Serves until it is killed.
     *
     * @param arguments the way, the port and the folder for its files
     */
    public static void main(String[] arguments) throws IOException {
        Path data = Path.of(arguments[2]);
        Path spool = Files.createDirectories(data.resolve("spool"));
        sync(data);
        StoringServer server = new StoringServer(Way.valueOf(arguments[0]), spool);
        try (ServerSocket socket = new ServerSocket(
                Integer.parseInt(arguments[1]), 50, InetAddress.getLoopbackAddress())) {
            while (true) {
                Socket accepted = socket.accept();
                Thread.ofPlatform().daemon().start(() -> server.serve(accepted));
            }
        }
    }

    private void serve(Socket accepted) {
        try (accepted) {
            accepted.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(accepted.getInputStream());
            OutputStream out = accepted.getOutputStream();
            say(out, "220 test.example");
            for (String line = line(in); line != null; line = line(in)) {
                if (line.equals("DATA")) {
                    say(out, "354 go ahead");
                    keep(content(in), in, out);
                } else {
                    say(out, line.equals("QUIT") ? "221 bye" : "250 ok");
                }
            }
        } catch (IOException e) {
            // The peer has gone.
            return;
        }
    }

    private void keep(byte[] content, InputStream in, OutputStream out) throws IOException {
        int number = numbers.incrementAndGet();
        String answer = "250 2.0.0 ok, queued as Q" + number;
        Path file = spool.resolve("message-" + number);
        Path part = spool.resolve("part-" + number);
        switch (way) {
            case RIGHT, COMPRESSED -> {
                Files.write(part, way == Way.RIGHT ? content : compressed(content));
                sync(part);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
                sync(spool);
                say(out, answer);
            }
            case NEVER -> {
                Files.write(file, content);
                say(out, answer);
            }
            case FILE_ONLY -> {
                Files.write(file, content);
                sync(file);
                say(out, answer);
            }
            case EARLY -> {
                Files.write(file, content);
                say(out, answer);
                awaitRead(in);
                sync(file);
                sync(spool);
            }
            case OTHER -> {
                Files.write(file, content);
                Path before = spool.resolve("message-" + (number - 1));
                if (Files.exists(before)) {
                    sync(before);
                }
                sync(spool);
                say(out, answer);
            }
            case MAPPED -> {
                try (FileChannel channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.allocate(1), content.length - 1L);
                    MappedByteBuffer mapped =
                            channel.map(FileChannel.MapMode.READ_WRITE, 0, content.length);
                    mapped.put(content);
                    sync(spool);
                    say(out, answer);
                    // To close it writes what is mapped.
                    awaitRead(in);
                }
            }
        }
    }

    /** Waits until the client has read the answer: until it says more, or goes. */
    private static void awaitRead(InputStream in) throws IOException {
        in.mark(1);
        in.read();
        in.reset();
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            channel.force(true);
        }
    }

    private static byte[] compressed(byte[] content) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(octets)) {
            out.write(content);
        }
        return octets.toByteArray();
    }

    private static byte[] content(InputStream in) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (String line = line(in); line != null && !line.equals("."); line = line(in)) {
            String stuffed = line.startsWith(".") ? line.substring(1) : line;
            content.writeBytes((stuffed + "\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        return content.toByteArray();
    }

    /** {@return a line without its end; null where there is none} */
    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet >= 0; octet = in.read()) {
            if (octet == '\n') {
                return line.toString().stripTrailing();
            }
            line.append((char) octet);
        }
        return null;
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
