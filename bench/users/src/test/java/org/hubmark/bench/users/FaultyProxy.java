package org.hubmark.bench.users;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before a server, and can do what networks and servers do: hold back what the server says, or drop
 * all connections. Any thread.
 */
final class FaultyProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile long delayMillis;
    private volatile long octetsMax = Long.MAX_VALUE;
    private volatile int answeredMax = Integer.MAX_VALUE;

    FaultyProxy(int target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** What the server says from now on comes so much later. */
    void delay(long millis) {
        delayMillis = millis;
    }

    /** A connection is dropped when the server has said so many octets on it. */
    void dropAfter(long octets) {
        octetsMax = octets;
    }

    /** On all connections after so many the server says nothing. */
    void stallAfter(int connections) {
        answeredMax = connections;
    }

    private void accept() {
        try {
            for (int number = 1; true; number++) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                server.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                open.add(client);
                open.add(server);
                boolean silent = number > answeredMax;
                Thread.ofVirtual().start(() -> pass(client, server));
                Thread.ofVirtual().start(() -> answer(server, client, silent));
            }
        } catch (IOException e) {
            // Closed: that is the end.
            return;
        }
    }

    private static void pass(Socket client, Socket server) {
        try (client;
                server) {
            var unused = client.getInputStream().transferTo(server.getOutputStream());
        } catch (IOException e) {
            // One side has gone, and the other goes with it.
            return;
        }
    }

    private void answer(Socket server, Socket client, boolean silent) {
        byte[] octets = new byte[8192];
        try (server;
                client) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            long said = 0;
            for (int count = in.read(octets); count >= 0; count = in.read(octets)) {
                said += count;
                if (said > octetsMax) {
                    return;
                }
                if (delayMillis > 0) {
                    Thread.sleep(delayMillis);
                }
                if (!silent) {
                    out.write(octets, 0, count);
                }
            }
        } catch (IOException | InterruptedException e) {
            // One side has gone, and the other goes with it.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
