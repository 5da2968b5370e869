package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Server that is played: it answers what a test tells it to, and writes down all lines but content. */
final class PlayedServer implements AutoCloseable {
    final List<String> said = new CopyOnWriteArrayList<>();
    private final ServerSocket socket = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
    private final List<Socket> peers = new CopyOnWriteArrayList<>();
    private final String greeting;
    private final Supplier<Dialogue> dialogues;

    /** What one connection is answered. */
    @FunctionalInterface
    interface Dialogue {
        /** {@return the lines after a line, the last without its end; null: none to any line from now on} */
        @Nullable
        String reply(String line);
    }

    PlayedServer(String greeting, Supplier<Dialogue> dialogues) throws IOException {
        this.greeting = greeting;
        this.dialogues = dialogues;
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket peer = socket.accept();
                peers.add(peer);
                Thread.ofVirtual().start(() -> answer(peer));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void answer(Socket peer) {
        Dialogue dialogue = dialogues.get();
        try {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(peer.getInputStream(), US_ASCII));
            String reply = greeting;
            while (reply != null) {
                peer.getOutputStream().write((reply + "\r\n").getBytes(US_ASCII));
                String line = in.readLine();
                while (reply.startsWith("354") && line != null && !line.equals(".")) {
                    line = in.readLine();
                }
                if (line == null) {
                    peer.close();
                    return;
                }
                said.add(line);
                reply = dialogue.reply(line);
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket peer : peers) {
            peer.close();
        }
    }
}
