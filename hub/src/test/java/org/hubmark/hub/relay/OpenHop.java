package org.hubmark.hub.relay;

import static java.util.stream.Collectors.joining;

import org.hubmark.hub.delivery.NextHop;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A next hop that serves any number of connections and takes everything, but for what a test has it answer
 * otherwise.
 */
final class OpenHop implements AutoCloseable {
    private final ServerSocket listener =
            new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final List<List<String>> taken = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final Answers answers;
    private final String hello;

    /** What a test has answered. */
    interface Answers {
        /**
         * {@return the answer to a command, to the greeting as an empty one, or to content as {@code .}; null
         * for the usual one} It may wait.
         *
         * @param accepted recipients of the transaction so far
         * @param carried messages that the connection has carried
         */
        @Nullable
        String to(String command, int accepted, int carried) throws InterruptedException;
    }

    OpenHop(List<String> extensions, Answers answers) throws IOException {
        this.hello = "250-hop\r\n"
                + extensions.stream().map(one -> "250-" + one + "\r\n").collect(joining())
                + "250 HELP";
        this.answers = answers;
        Thread unused = Thread.ofVirtual().start(this::accept);
    }

    NextHop smtp() {
        return new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", listener.getLocalPort());
    }

    /** {@return the recipients of each message that it has said 250 to} */
    List<List<String>> taken() {
        return List.copyOf(taken);
    }

    /** {@return the commands that it got, in any order of connections} */
    List<String> commands() {
        return List.copyOf(commands);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = listener.accept();
                connections.add(connection);
                Thread unused = Thread.ofVirtual().start(() -> run(connection));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void run(Socket connection) {
        try (connection) {
            serve(connection);
        } catch (IOException e) {
            // The agent has gone, or the test is over.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(connection);
        }
    }

    private void serve(Socket connection) throws IOException, InterruptedException {
        InputStream in = new BufferedInputStream(connection.getInputStream());
        OutputStream out = connection.getOutputStream();
        List<String> recipients = new ArrayList<>();
        boolean hasSender = false;
        int carried = 0;
        String reply = answer("", 0, 0, "220 hop");
        while (true) {
            out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
            if (reply.startsWith("421") || reply.startsWith("221")) {
                return;
            }
            String line = line(in);
            int accepted = recipients.size();
            commands.add(line);
            switch (line.substring(0, 4)) {
                case "EHLO" -> reply = hello;
                case "MAIL" -> {
                    recipients.clear();
                    reply = answer(line, 0, carried, "250 sender");
                    hasSender = reply.startsWith("250");
                }
                case "RCPT" -> {
                    reply = hasSender
                            ? answer(line, accepted, carried, "250 recipient")
                            : "503 no sender";
                    if (reply.startsWith("250")) {
                        recipients.add(line.substring(line.indexOf('<') + 1, line.indexOf('>')));
                    }
                }
                case "DATA" -> {
                    reply = accepted == 0
                            ? "503 nobody"
                            : answer(line, accepted, carried, "354 go");
                    if (reply.startsWith("354")) {
                        out.write("354 go\r\n".getBytes(StandardCharsets.US_ASCII));
                        while (!line(in).equals(".")) {
                            // Content is not looked at.
                        }
                        reply = take(recipients, carried++);
                    }
                }
                case "BDAT" -> {
                    byte[] unused = in.readNBytes(Integer.parseInt(line.split(" ", -1)[1]));
                    reply = accepted == 0 ? "503 nobody" : take(recipients, carried++);
                }
                case "RSET" -> {
                    recipients.clear();
                    reply = "250 reset";
                }
                case "QUIT" -> reply = "221 bye";
                default -> reply = "500 unknown";
            }
        }
    }

    private String take(List<String> recipients, int carried) throws InterruptedException {
        String reply = answer(".", recipients.size(), carried, "250 taken");
        if (reply.startsWith("250")) {
            taken.add(List.copyOf(recipients));
        }
        return reply;
    }

    private String answer(String command, int accepted, int carried, String usual)
            throws InterruptedException {
        return Objects.requireNonNullElse(answers.to(command, accepted, carried), usual);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("closed");
            }
            line.append((char) octet);
        }
        return line.toString().strip();
    }
}
