package org.hubmark.hub;

import java.io.ByteArrayOutputStream;
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
import java.util.regex.Pattern;

/**
 * Stands between clients and a server, on a port of its own, and keeps what the clients say. Any thread.
 */
final class Wire implements AutoCloseable {
    private final InetSocketAddress server;
    private final boolean wantsPipelining;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private Wire(InetSocketAddress server, boolean wantsPipelining) throws IOException {
        this.server = server;
        this.wantsPipelining = wantsPipelining;
    }

    static Wire to(InetSocketAddress server) throws IOException {
        return started(new Wire(server, false));
    }

    /**
     * {@return a wire that keeps MAIL back until DATA has come} A client that waits for an answer in
     * between waits for ever.
     */
    static Wire forPipelining(InetSocketAddress server) throws IOException {
        return started(new Wire(server, true));
    }

    private static Wire started(Wire wire) {
        Thread.ofVirtual().start(wire::accept);
        return wire;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** {@return whether this is in what the clients have said, a character an octet} */
    boolean carried(Pattern pattern) {
        return pattern.matcher(said.toString(StandardCharsets.ISO_8859_1)).find();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket hub = new Socket(server.getAddress(), server.getPort());
                open.add(client);
                open.add(hub);
                Thread.ofVirtual().start(() -> copy(client, hub, true));
                Thread.ofVirtual().start(() -> copy(hub, client, false));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void copy(Socket from, Socket to, boolean fromClient) {
        ByteArrayOutputStream held = new ByteArrayOutputStream();
        byte[] read = new byte[64 << 10];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int length;
            while ((length = in.read(read)) >= 0) {
                held.write(read, 0, length);
                if (fromClient) {
                    said.write(read, 0, length);
                }
                if (!fromClient || !wantsPipelining || !isUnfinished(held)) {
                    held.writeTo(out);
                    held.reset();
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // One of them has gone, and so goes the other.
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static boolean isUnfinished(ByteArrayOutputStream held) {
        String text = held.toString(StandardCharsets.ISO_8859_1);
        return text.contains("MAIL FROM:") && !text.contains("\r\nDATA\r\n");
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }
}
