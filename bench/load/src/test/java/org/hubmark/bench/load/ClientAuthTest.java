package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

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
        try (PlayedServer server = server("250-mail.example\r\n250 AUTH LOGIN PLAIN")) {
            load(server, auth("tanstaaftanstaaf\n"), 2);
            // The look before the load, and two connections.
            assertThat(server.said).filteredOn(PLAIN::equals).hasSize(3);
            assertThat(server.said).filteredOn(line -> line.startsWith("MAIL ")).hasSize(4);
        }
    }

    /** In the way of old servers, too, which announce it so. */
    @Test
    void saysWhoSendsByLogin() throws Exception {
        try (PlayedServer server = server("250-mail.example\r\n250 AUTH=LOGIN")) {
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
        try (PlayedServer server = server("250-mail.example\r\n250 AUTH PLAIN")) {
            ClientAuth wrong = auth("wrong");
            assertThatThrownBy(() -> TargetProbe.ask(server.address(), null, wrong))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("doesn't take --auth-user with that password: 535 5.7.8");
        }
        try (PlayedServer server = server("250 mail.example")) {
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

    private static void load(PlayedServer server, ClientAuth auth, int connections)
            throws Exception {
        assertThat(Loads.whole(plan(server.address(), auth, connections), 500, LoadDriver::snapshot)
                        .accepted())
                .isEqualTo(4);
    }

    private static LoadPlan plan(InetSocketAddress target, ClientAuth auth, int connections) {
        return Loads.plan(
                target,
                connections,
                0,
                4,
                new LoadPlan.Dialogue(Transfer.DATA, false, null, auth),
                1);
    }

    /** A server that knows one user. */
    private static PlayedServer server(String hello) throws IOException {
        return new PlayedServer("220 mail.example", () -> {
            AtomicBoolean known = new AtomicBoolean();
            return line -> {
                boolean password = line.startsWith("dGFu");
                if (line.equals(PLAIN) || line.equals("dGFuc3RhYWZ0YW5zdGFhZg==")) {
                    known.set(true);
                }
                if (line.startsWith("EHLO")) {
                    return hello;
                }
                if (line.equals("AUTH LOGIN") || line.equals("dGlt")) {
                    return "334 ";
                }
                if (!known.get()) {
                    return line.startsWith("AUTH") ? "535 5.7.8 no" : "530 5.7.0 who are you";
                }
                return line.startsWith("AUTH") || password
                        ? "235 2.7.0 welcome"
                        : line.equals("DATA") ? "354 go on" : "250 2.0.0 so be it";
            };
        });
    }
}
