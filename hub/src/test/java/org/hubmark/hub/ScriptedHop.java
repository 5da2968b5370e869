package org.hubmark.hub;

import org.hubmark.hub.delivery.NextHop;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A next hop that does what a script says, one connection after the other; then it listens no more. A row of a
 * script has what the agent sends and what the next hop answers to it, {@code MAIL, RCPT | 250 ok, 550 no}; a line
 * {@code ---} stands between connections. What is awaited is the beginning of a line; {@code .} is the end of
 * content, and {@code BDAT} comes with its octets. Of the answers, {@code close} ends the connection, {@code wait}
 * does nothing until the end of the test, {@code tls} does the handshake, {@code tls with a certificate} wants one
 * of the agent's, and anything else is said. {@code hello} and {@code lhlo} stand for the greeting with the
 * extensions behind them, {@code envelope} for a sender and a recipient that are accepted, {@code taken} for a
 * message that is. A second EHLO gets the answer of the first and QUIT its own, wherever they come. All that is
 * read is kept.
 */
public final class ScriptedHop implements AutoCloseable {
    private static final Pattern HELLO = Pattern.compile("(?m)^(hello|lhlo) ?(.*)$");

    private final ServerSocket listener;
    private final Thread thread;
    private final CompletableFuture<Void> closing = new CompletableFuture<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger connections = new AtomicInteger();
    private final @Nullable SSLContext tls;
    private volatile boolean leftCleanly;

    /** Of the connection that is served. */
    private InputStream in = InputStream.nullInputStream();

    private OutputStream out = OutputStream.nullOutputStream();
    private String hello = "";

    private ScriptedHop(ServerSocket listener, @Nullable SSLContext tls, String script) {
        this.listener = listener;
        this.tls = tls;
        this.thread = new Thread(() -> serve(written(script)), "scripted-hop");
    }

    public static ScriptedHop start(String script) throws IOException {
        return start(null, script);
    }

    public static ScriptedHop start(@Nullable SSLContext tls, String script) throws IOException {
        ScriptedHop hop = new ScriptedHop(
                new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), tls, script);
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

    /** {@return a script with the rows that its words stand for} */
    private static String written(String script) {
        String rows = script.replaceAll("(?m)^taken$", "envelope\nDATA | 354 go\n. | 250 taken")
                .replaceAll("(?m)^envelope$", "MAIL | 250 ok\nRCPT | 250 ok");
        return HELLO.matcher(rows).replaceAll(greeting -> {
            StringBuilder answer = new StringBuilder("| 220 hi\n")
                    .append(greeting.group(1).equals("hello") ? "EHLO" : "LHLO")
                    .append(" | 250-x");
            words(greeting.group(2)).forEach(extension -> answer.append(", 250-" + extension));
            return answer.append(", 250 HELP").toString();
        });
    }

    private void serve(String script) {
        for (String connection : script.split("(?m)^---\n", -1)) {
            try (Socket socket = listener.accept()) {
                connections.incrementAndGet();
                in = new BufferedInputStream(socket.getInputStream());
                out = socket.getOutputStream();
                for (String row : connection.lines().toList()) {
                    String[] columns = row.split("\\|", 2);
                    for (String command : words(columns[0])) {
                        read(command);
                    }
                    answer(socket, columns[0], words(columns.length == 1 ? "" : columns[1]));
                }
                // As long as the agent, so that it decides what becomes of the connection.
                await("the end");
            } catch (IOException e) {
                // The agent has gone, which the test sees by the outcome; or the test or the script
                // has ended it.
            }
        }
        try {
            listener.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> words(String column) {
        return Stream.of(column.strip().split(", ", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private void read(String command) throws IOException {
        if (command.equals("BDAT")) {
            int octets = Integer.parseInt(await("BDAT ").strip().split(" ", -1)[1]);
            keep(in.readNBytes(octets));
        } else if (command.equals(".")) {
            String line = readLine();
            while (!line.equals(".\r\n")) {
                line = readLine();
            }
        } else {
            await(command);
        }
    }

    /** What a row says leaves together. */
    private void answer(Socket socket, String command, List<String> answers) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String answer : answers) {
            if (answer.equals("close") || answer.equals("wait") || answer.startsWith("tls")) {
                say(said.toString());
                said.setLength(0);
            }
            switch (answer) {
                case "close" -> throw new EOFException("the script has ended");
                case "wait" -> closing.join();
                case "tls", "tls with a certificate" ->
                    secure(socket, answer.endsWith("certificate"));
                default -> said.append(answer).append("\r\n");
            }
        }
        if (isHello(command) && said.toString().startsWith("250")) {
            hello = said.toString();
        }
        say(said.toString());
    }

    private void say(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void secure(Socket socket, boolean wantsCertificate) throws IOException {
        SSLSocket secured = (SSLSocket) Objects.requireNonNull(tls)
                .getSocketFactory()
                .createSocket(socket, InputStream.nullInputStream(), true);
        secured.setUseClientMode(false);
        secured.setNeedClientAuth(wantsCertificate);
        secured.startHandshake();
        in = new BufferedInputStream(secured.getInputStream());
        out = secured.getOutputStream();
    }

    private String await(String beginning) throws IOException {
        while (true) {
            String line = readLine();
            if (line.startsWith(beginning)) {
                return line;
            }
            if (line.startsWith("QUIT")) {
                say("221 bye\r\n");
                leftCleanly = in.read() < 0;
                throw new EOFException("the agent has left");
            }
            if (isHello(line)) {
                say(hello);
            }
        }
    }

    private static boolean isHello(String line) {
        return line.startsWith("EHLO") || line.startsWith("LHLO");
    }

    /** A line ends with CRLF, as to a strict server. */
    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int before = 0;
        while (true) {
            int octet = in.read();
            if (octet < 0) {
                throw new EOFException("the agent closed");
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
