package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Proves that each connection says who sends, by the mechanism that the server announces, as RFC 4616
 * and RFC 4954 have it: to a server that is played, which writes down all that it is told.
 */
@Timeout(60)
class ClientAuthTest {
    /** RFC 4616 4 has this user and this password. */
    private static final String PLAIN = "AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm";

    @TempDir
    Path folder;

    private ClientAuth auth(String password) throws IOException {
        Path file = Files.writeString(folder.resolve("password"), password);
        return ClientAuth.read("tim", file);
    }

    @Test
    void saysWhoSendsByPlain() throws Exception {
        try (Played server = new Played("250-mail.example\r\n250 AUTH LOGIN PLAIN\r\n")) {
            load(server, auth("tanstaaftanstaaf\n"), 2);
            // The look before the load, and two connections.
            assertThat(server.said).filteredOn(PLAIN::equals).hasSize(3);
            assertThat(server.said).filteredOn(line -> line.startsWith("MAIL ")).hasSize(4);
        }
    }

    /** In the way of old servers, too, which announce it so. */
    @Test
    void saysWhoSendsByLogin() throws Exception {
        try (Played server = new Played("250-mail.example\r\n250 AUTH=LOGIN\r\n")) {
            load(server, auth("tanstaaftanstaaf"), 1);
            assertThat(server.said)
                    .containsSubsequence(
                            "EHLO load.hubmark.example",
                            "AUTH LOGIN",
                            "dGlt",
                            "dGFuc3RhYWZ0YW5zdGFhZg==",
                            "MAIL FROM:<a@x>");
        }
    }

    @Test
    void saysThatItIsNotTaken() throws Exception {
        try (Played server = new Played("250-mail.example\r\n250 AUTH PLAIN\r\n")) {
            ClientAuth wrong = auth("wrong");
            assertThatThrownBy(() -> TargetProbe.ask(server.address(), null, wrong))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("doesn't take --auth-user with that password: 535 5.7.8");
        }
        try (Played server = new Played("250 mail.example\r\n")) {
            ClientAuth right = auth("tanstaaftanstaaf");
            assertThatThrownBy(() -> TargetProbe.ask(server.address(), null, right))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("announces neither AUTH PLAIN nor AUTH LOGIN");
        }
    }

    @Test
    void aPasswordIsKeptWithItsBlanks() throws IOException {
        assertThat(auth(" a b \r\n").lines(SaslMechanism.LOGIN).getLast()).isEqualTo("IGEgYiA=");
        // As some editors save it.
        assertThat(auth("\uFEFF a b \n").lines(SaslMechanism.LOGIN).getLast())
                .isEqualTo("IGEgYiA=");
        assertThatThrownBy(() -> auth("\n")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> auth("a\0b")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> ClientAuth.read("", folder.resolve("password")))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> ClientAuth.read("tim", folder.resolve("none")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no such file");
        Files.write(folder.resolve("latin-1"), new byte[] {(byte) 0xe4});
        assertThatThrownBy(() -> ClientAuth.read("tim", folder.resolve("latin-1")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not UTF-8");
    }

    /** Another server is not told: a sink of our own, say. */
    @Test
    void isForItsTargetAlone() throws IOException {
        InetSocketAddress target = InetSocketAddress.createUnresolved("mx.example", 25);
        LoadPlan plan = plan(target, auth("x"), 1);
        assertThat(plan.unlimited().dialogue().auth()).isNotNull();
        assertThat(plan.at(InetSocketAddress.createUnresolved("localhost", 25))
                        .dialogue()
                        .auth())
                .isNull();
    }

    private static void load(Played server, ClientAuth auth, int connections) throws Exception {
        LoadPlan plan = plan(server.address(), auth, connections);
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        MessageGenerator generator = new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x");
        try (MessageSet messages = MessageSet.generate(500, generator, plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            driver.begin();
            assertThat(driver.awaitFinished(Duration.ofSeconds(30))).isTrue();
            assertThat(driver.snapshot().accepted()).isEqualTo(4);
        }
    }

    private static LoadPlan plan(InetSocketAddress target, ClientAuth auth, int connections) {
        return new LoadPlan(
                target,
                connections,
                1,
                new Pace.ClosedLoop(),
                0,
                4,
                new LoadPlan.Dialogue(Transfer.DATA, false, null, auth),
                new LoadPlan.Addresses("a@x", "b@x", 1));
    }

    /** A server that knows one user. */
    private static final class Played implements AutoCloseable {
        private final ServerSocket socket =
                new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        private final List<String> said = new CopyOnWriteArrayList<>();
        private final String hello;

        Played(String hello) throws IOException {
            this.hello = hello;
            Thread.ofVirtual().start(this::accept);
        }

        InetSocketAddress address() {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }

        private void accept() {
            while (!socket.isClosed()) {
                try {
                    Socket peer = socket.accept();
                    Thread.ofVirtual().start(() -> answer(peer));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void answer(Socket peer) {
            try (peer;
                    OutputStream out = peer.getOutputStream();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(peer.getInputStream(), US_ASCII))) {
                boolean known = false;
                boolean content = false;
                out.write("220 mail.example\r\n".getBytes(US_ASCII));
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    if (content && !line.equals(".")) {
                        continue;
                    }
                    said.add(line);
                    known |= line.equals(PLAIN) || line.equals("dGFuc3RhYWZ0YW5zdGFhZg==");
                    out.write(reply(line, known).getBytes(US_ASCII));
                    content = line.equals("DATA");
                }
            } catch (IOException e) {
                // The client has gone.
                return;
            }
        }

        private String reply(String line, boolean known) {
            if (line.startsWith("EHLO")) {
                return hello;
            }
            if (line.equals("AUTH LOGIN") || line.equals("dGlt")) {
                return "334 \r\n";
            }
            if (!known) {
                return line.startsWith("AUTH") ? "535 5.7.8 no\r\n" : "530 5.7.0 who are you\r\n";
            }
            return line.startsWith("AUTH") || line.startsWith("dGFu")
                    ? "235 2.7.0 welcome\r\n"
                    : line.equals("DATA") ? "354 go on\r\n" : "250 2.0.0 so be it\r\n";
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
