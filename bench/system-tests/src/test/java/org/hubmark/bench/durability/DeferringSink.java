package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server to which a hub delivers (SMTP): it answers each message with 451, and notes when, until it is
 * told to take them; then it notes in the ledger what it has. Knows as much of RFC 5321 as that takes. A
 * thread for each connection; any thread may ask.
 */
final class DeferringSink implements AutoCloseable {
    private static final int LINE_BYTES_MAX = 1000;
    private static final String LATER = "451 4.3.0 later";

    private final Ledger ledger;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<Long, Long> attemptNanos = new ConcurrentHashMap<>();
    private final AtomicLong corrupted = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private volatile boolean accepting;

    /** Listens on the loopback address. */
    DeferringSink(Ledger ledger) throws IOException {
        this.ledger = ledger;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("next-hop").start(this::listen);
    }

    /** {@return the delivery of a hub to it, as {@code serve --deliver} takes it} */
    String delivery() {
        return "smtp://127.0.0.1:" + listening.getLocalPort() + "?tls=none";
    }

    /** Takes messages from now on. */
    void accept() {
        accepting = true;
    }

    /** {@return whether a message was tried since some time, by nanoTime} */
    boolean wasTried(Ledger.Entry entry, long sinceNanos) {
        Long nanos = attemptNanos.get(entry.token);
        return nanos != null && nanos - sinceNanos >= 0;
    }

    /** {@return messages taken, those among them that were taken before} */
    long taken() {
        return taken.get();
    }

    /** {@return messages that nobody has sent, or not in this form} */
    long corrupted() {
        return corrupted.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void listen() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // It was closed.
            return;
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            say(out, "220 next-hop.example");
            for (String line = line(in); line != null; line = line(in)) {
                String command =
                        line.length() < 4 ? line : line.substring(0, 4).toUpperCase(Locale.ROOT);
                switch (command) {
                    case "QUIT" -> {
                        say(out, "221 2.0.0 bye");
                        return;
                    }
                    case "DATA" -> {
                        say(out, "354 go on");
                        say(out, answer(content(in)));
                    }
                    default -> say(out, "250 2.0.0 ok");
                }
            }
        } catch (IOException e) {
            // The hub was killed, or this is closed.
            return;
        } finally {
            open.remove(socket);
        }
    }

    private String answer(byte[] message) {
        long token = LedgerMessage.token(message);
        Ledger.Entry entry = ledger.find(token);
        attemptNanos.put(token, System.nanoTime());
        if (entry == null || !Arrays.equals(LedgerMessage.digest(message, false), entry.digest)) {
            corrupted.incrementAndGet();
        } else if (accepting) {
            synchronized (this) {
                entry.delivered++;
            }
        }
        if (!accepting) {
            return LATER;
        }
        taken.incrementAndGet();
        return "250 2.0.0 taken";
    }

    private static byte[] content(InputStream in) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (String line = line(in); line != null; line = line(in)) {
            if (line.equals(".")) {
                return content.toByteArray();
            }
            String plain = line.startsWith(".") ? line.substring(1) : line;
            content.writeBytes(plain.getBytes(StandardCharsets.ISO_8859_1));
            content.write('\r');
            content.write('\n');
        }
        throw new IOException("the connection ended in a message");
    }

    /** {@return a line without its end; null at the end} */
    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet >= 0; octet = in.read()) {
            if (octet == '\n') {
                line.setLength(Math.max(0, line.length() - 1));
                return line.toString();
            }
            if (line.length() > LINE_BYTES_MAX) {
                throw new IOException("a line that is too long");
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
