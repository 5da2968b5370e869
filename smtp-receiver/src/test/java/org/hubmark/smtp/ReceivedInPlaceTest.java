package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Large messages stay in the buffers that they were read into. Whatever a client sends behind them in the
 * same read, and wherever reads end, each is what was sent, and so is what follows.
 */
@Timeout(120)
final class ReceivedInPlaceTest {
    private static final int MESSAGES = 150;
    private static final int OCTETS_MAX = 140_000;
    private static final int LARGE_OCTETS = 2_500_000;
    private static final String TRANSACTION =
            "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\n";

    private final MemoryIntake intake = new MemoryIntake();

    @Test
    void everyMessageIsWhatWasSent() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        intake.holdsAnswers = true;
        Thread answers = new Thread(() -> {
            try {
                while (true) {
                    intake.answer();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        answers.start();
        Settings settings = new Settings(Map.of("smtp.host-name", "mx.example"));
        try (SmtpReceiver receiver = SmtpReceiver.start(anyPort(), intake, settings);
                Socket socket = new Socket()) {
            socket.connect(receiver.address());
            socket.setTcpNoDelay(true);
            Sender sender = new Sender(socket, random);
            for (int i = 0; i < MESSAGES; i++) {
                int octets = i % 50 == 49 ? LARGE_OCTETS : random.nextInt(OCTETS_MAX);
                String text = text(random, octets);
                String wanted = switch (random.nextInt(3)) {
                    case 0 -> sender.byData(text);
                    case 1 -> sender.byChunks(text, "");
                    default -> sender.byChunks(binary(random, octets), " BODY=BINARYMIME");
                };
                List<MemoryIntake.Message> messages = intake.messages();
                assertThat(messages).as("seed %d", seed).hasSize(i + 1);
                // Without it in the words of a failure: it is long.
                assertThat(messages.getLast().text().equals(wanted))
                        .as("message %d, seed %d", i, seed)
                        .isTrue();
            }
            assertThat(receiver.budget().bytesUsed()).as("seed %d", seed).isZero();
        } finally {
            answers.interrupt();
            answers.join();
        }
    }

    /** A message has the whole buffer: that, and no copy beside it, is what it is charged for. */
    @Test
    void aMessageKeepsItsBuffer() throws Exception {
        intake.holdsAnswers = true;
        Settings settings = new Settings(
                Map.of("smtp.host-name", "mx.example", "smtp.receive-buffer", "65536"));
        try (SmtpReceiver receiver = SmtpReceiver.start(anyPort(), intake, settings);
                Socket socket = new Socket()) {
            socket.connect(receiver.address());
            Sender sender = new Sender(socket, new Random(1));
            sender.send("MAIL FROM:<> SIZE=50000\r\nRCPT TO:<c@d.example>\r\nDATA\r\n");
            sender.until("354");
            sender.send("x".repeat(900).concat("\r\n").repeat(55) + ".\r\n");
            Runnable answer = intake.held.take();
            assertThat(receiver.budget().bytesUsed()).isEqualTo(65_536);
            answer.run();
            sender.until("250 2.0.0");
            assertThat(receiver.budget().bytesUsed()).isZero();
        }
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** {@return lines, some of which begin with dots; mostly the last one has its end} */
    private static String text(Random random, int octets) {
        StringBuilder text = new StringBuilder(octets + 100);
        int dotsIn = random.nextBoolean() ? 1 << 30 : 1 + random.nextInt(200);
        while (text.length() < octets) {
            text.append(random.nextInt(dotsIn) == 0 ? ".".repeat(1 + random.nextInt(3)) : "");
            for (int left = random.nextInt(90); left > 0; left--) {
                text.append((char) ('/' + random.nextInt(70)));
            }
            text.append("\r\n");
        }
        return text.append(random.nextInt(4) == 0 ? "an open line" : "").toString();
    }

    private static String binary(Random random, int octets) {
        byte[] any = new byte[octets];
        random.nextBytes(any);
        return new String(any, StandardCharsets.ISO_8859_1);
    }

    /** Sends in pieces of any length, with the commands of no consequence between messages. */
    private static final class Sender {
        private final OutputStream out;
        private final BufferedReader in;
        private final Random random;

        Sender(Socket socket, Random random) throws IOException {
            this.out = socket.getOutputStream();
            this.in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            this.random = random;
            until("220");
            send("EHLO me.example\r\n");
            until("250 ");
        }

        String byData(String text) throws IOException {
            send(TRANSACTION + "DATA\r\n");
            until("354");
            String lines = text.isEmpty() || text.endsWith("\r\n") ? text : text + "\r\n";
            String stuffed = ("\r\n" + lines).replace("\r\n.", "\r\n..").substring(2);
            int noops = random.nextInt(3) == 0 ? random.nextInt(900) : 0;
            send(stuffed + ".\r\n" + "NOOP\r\n".repeat(noops) + "HELP\r\n");
            until("214");
            return lines;
        }

        String byChunks(String octets, String parameters) throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            write(all, "MAIL FROM:<a@b.example>" + parameters + "\r\nRCPT TO:<c@d.example>\r\n");
            int begin = 0;
            for (int more = random.nextInt(3); more > 0; more--) {
                int end = begin + random.nextInt(octets.length() - begin + 1);
                write(all, "BDAT " + (end - begin) + "\r\n" + octets.substring(begin, end));
                begin = end;
            }
            write(all, "BDAT " + (octets.length() - begin) + " LAST\r\n" + octets.substring(begin));
            int noops = random.nextInt(3) == 0 ? random.nextInt(900) : 0;
            write(all, "NOOP\r\n".repeat(noops) + "HELP\r\n");
            send(all.toString(StandardCharsets.ISO_8859_1));
            until("214");
            boolean open = parameters.isEmpty() && !octets.isEmpty() && !octets.endsWith("\r\n");
            return open ? octets + "\r\n" : octets;
        }

        private static void write(ByteArrayOutputStream all, String octets) {
            all.writeBytes(octets.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Not while replies fill the other direction: there are few, and short ones. */
        void send(String octets) throws IOException {
            byte[] all = octets.getBytes(StandardCharsets.ISO_8859_1);
            int pieceMax = 1 + random.nextInt(1 << random.nextInt(8, 19));
            for (int at = 0; at < all.length; ) {
                int count = Math.min(1 + random.nextInt(pieceMax), all.length - at);
                out.write(all, at, count);
                at += count;
            }
        }

        /** Reads up to a reply that begins so; before it, nothing was refused. */
        void until(String reply) throws IOException {
            String line;
            do {
                line = in.readLine();
                assertThat(line).isNotNull().doesNotMatch("[45].*");
            } while (!line.startsWith(reply));
        }
    }
}
