package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The server to which a hub delivers (SMTP), on the loopback address, whose answers a test gives. Knows as much
 * of RFC 5321 as that takes. A thread for each connection.
 */
public final class NextHop implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Supplier<Session> sessions;

    /** The answers on one connection. */
    public interface Session {
        /** {@return the answer to a command} None is the end of all answers: the rest is read. */
        @Nullable
        String answer(String command);

        /** {@return the answer to a content, which it has to read} */
        String taken(InputStream content) throws IOException, InterruptedException;
    }

    /** Listens. */
    public NextHop(Supplier<Session> sessions) throws IOException {
        this.sessions = sessions;
        // What is not read is not hidden by buffers between the two.
        listening.setReceiveBufferSize(16 << 10);
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        Thread.ofPlatform().daemon().name("next-hop").start(this::listen);
    }

    /** {@return the delivery of a hub to it, as {@code serve --deliver} takes it} */
    public String delivery() {
        return "smtp://127.0.0.1:" + listening.getLocalPort() + "?tls=none";
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
            Session session = sessions.get();
            say(out, "220 next-hop.example");
            for (String line = line(in); !line.startsWith("QUIT"); line = line(in)) {
                String answer = session.answer(line);
                if (answer == null) {
                    in.transferTo(OutputStream.nullOutputStream());
                    return;
                }
                say(out, answer);
                if (answer.startsWith("354")) {
                    say(out, session.taken(in));
                }
            }
            say(out, "221 2.0.0 bye");
        } catch (IOException e) {
            // The hub was killed, or this is closed.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    /** {@return a content, as it was before it was sent} */
    public static byte[] content(InputStream in) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (String line = line(in); !line.equals("."); line = line(in)) {
            String plain = line.startsWith(".") ? line.substring(1) : line;
            content.writeBytes((plain + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        return content.toByteArray();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException();
            }
            line.append((char) octet);
        }
        line.setLength(Math.max(0, line.length() - 1));
        return line.toString();
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
