package org.hubmark.hub;

import org.hubmark.hub.delivery.NextHop;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A next hop that does what a script says, one script a connection, one connection at a time; then it
 * listens no more. Of a script's steps, what begins with a digit is said; {@code close} ends the
 * connection; {@code wait} does nothing until the end of the test; {@code BDAT} waits for that command
 * and reads its octets; {@code .} waits for the end of data; {@code tls} does the handshake, and {@code tls with
 * a certificate} wants one of the agent's; anything else is waited for at the
 * beginning of a line. A second EHLO gets the answer of the first and QUIT its own, wherever they come. All that is
 * read is kept.
 */
public final class ScriptedHop implements AutoCloseable {
    private final ServerSocket listener;
    private final Thread thread;
    private final CompletableFuture<Void> closing = new CompletableFuture<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger connections = new AtomicInteger();
    private final @Nullable SSLContext tls;
    private volatile boolean leftCleanly;

    private ScriptedHop(ServerSocket listener, @Nullable SSLContext tls, String[][] scripts) {
        this.listener = listener;
        this.tls = tls;
        this.thread = new Thread(() -> serve(scripts), "scripted-hop");
    }

    public static ScriptedHop start(String[]... scripts) throws IOException {
        return start(null, scripts);
    }

    public static ScriptedHop start(@Nullable SSLContext tls, String[]... scripts)
            throws IOException {
        ScriptedHop hop = new ScriptedHop(
                new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), tls, scripts);
        hop.thread.start();
        return hop;
    }

    public NextHop smtp() {
        return new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", listener.getLocalPort());
    }

    public NextHop lmtp() {
        return new NextHop(NextHop.Protocol.LMTP, "127.0.0.1", listener.getLocalPort());
    }

    /** {@return every octet that it has read, as a character each} */
    public synchronized String received() {
        return received.toString(StandardCharsets.ISO_8859_1);
    }

    /** {@return connections so far} */
    public int connections() {
        return connections.get();
    }

    /** {@return whether the agent has ended a connection as its protocol asks for, after QUIT} */
    public boolean wasLeftCleanly() {
        return leftCleanly;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closing.complete(null);
        listener.close();
        thread.join();
    }

    private void serve(String[][] scripts) {
        for (String[] script : scripts) {
            try (Socket socket = listener.accept()) {
                connections.incrementAndGet();
                serve(socket, script);
            } catch (IOException e) {
                // The agent has gone, which the test sees by the outcome; or the test has.
            }
        }
        try {
            listener.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void serve(Socket socket, String[] script) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        StringBuilder hello = new StringBuilder();
        boolean inHello = false;
        for (String step : script) {
            inHello = isHello(step) || (inHello && step.startsWith("250"));
            if (inHello && !isHello(step)) {
                hello.append(step).append("\r\n");
            }
            if (step.equals("close")) {
                return;
            } else if (step.equals("wait")) {
                closing.join();
            } else if (step.startsWith("tls")) {
                SSLSocket secured = secure(socket, step.equals("tls with a certificate"));
                in = new BufferedInputStream(secured.getInputStream());
                out = secured.getOutputStream();
            } else if (step.equals("BDAT")) {
                String command = await(in, "BDAT ", out, hello);
                int octets = Integer.parseInt(command.strip().split(" ", -1)[1]);
                keep(in.readNBytes(octets));
            } else if (step.equals(".")) {
                String line = readLine(in);
                while (!line.equals(".\r\n")) {
                    line = readLine(in);
                }
            } else if (Character.isDigit(step.charAt(0)) || step.charAt(0) < ' ') {
                out.write((step + "\r\n").getBytes(StandardCharsets.US_ASCII));
            } else {
                await(in, step, out, hello);
            }
        }
        // As long as the agent, so that it decides what becomes of the connection.
        await(in, "the end", out, hello);
    }

    private SSLSocket secure(Socket socket, boolean wantsCertificate) throws IOException {
        SSLSocket secured = (SSLSocket) Objects.requireNonNull(tls)
                .getSocketFactory()
                .createSocket(socket, InputStream.nullInputStream(), true);
        secured.setUseClientMode(false);
        secured.setNeedClientAuth(wantsCertificate);
        secured.startHandshake();
        return secured;
    }

    private String await(InputStream in, String beginning, OutputStream out, CharSequence hello)
            throws IOException {
        while (true) {
            String line = readLine(in);
            if (line.startsWith(beginning)) {
                return line;
            }
            if (line.startsWith("QUIT")) {
                out.write("221 bye\r\n".getBytes(StandardCharsets.US_ASCII));
                leftCleanly = in.read() < 0;
                throw new IOException("the agent has left");
            }
            if (isHello(line)) {
                out.write(hello.toString().getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static boolean isHello(String line) {
        return line.startsWith("EHLO") || line.startsWith("LHLO");
    }

    /** A line ends with CRLF, as to a strict server. */
    private String readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int before = 0;
        while (true) {
            int octet = in.read();
            if (octet < 0) {
                throw new IOException("the agent closed");
            }
            line.write(octet);
            keep(new byte[] {(byte) octet});
            if (before == '\r' && octet == '\n') {
                return line.toString(StandardCharsets.ISO_8859_1);
            }
            before = octet;
        }
    }

    private synchronized void keep(byte[] octets) {
        received.writeBytes(octets);
    }
}
