package org.hubmark.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import io.netty.handler.codec.http.HttpResponseStatus;

import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The admin server answers whom it should: by address, on loopback, and never a web page's POST. */
@Timeout(60)
final class AdminServerTest {
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final Duration TIME_MAX = Duration.ofMinutes(1);

    private static final String GET = "GET /health HTTP/1.1\r\nHost: localhost\r\n";

    /** Says which method was asked for. */
    private static final class Echo implements AdminServer.Pages {
        @Override
        public AdminServer.Page get(String path) {
            return AdminServer.Page.text(HttpResponseStatus.OK, "GET " + path);
        }

        @Override
        public AdminServer.Page post(String path, String body) {
            return AdminServer.Page.text(HttpResponseStatus.OK, "POST " + path);
        }
    }

    private static AdminServer start() throws IOException {
        AdminSettings allowed = AdminSettings.read(Settings.defaults());
        return AdminServer.start(ANY_PORT, "metrics", allowed::refusal, new Echo());
    }

    private static AdminServer start(Duration timeMax) throws IOException {
        return AdminServer.start(ANY_PORT, "metrics", 2, timeMax, fields -> null, new Echo());
    }

    private static String ask(AdminServer server, String request) throws IOException {
        try (Socket socket = connect(server)) {
            socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static Socket connect(AdminServer server) throws IOException {
        return new Socket(server.address().getAddress(), server.address().getPort());
    }

    /** By address or on loopback, and no POST from a web page. An answer is the last one of its connection and says so. */
    @ParameterizedTest
    @CsvFileSource(resources = "requests.csv")
    void answersWhomItShould(String method, String host, String field, int status, String body)
            throws IOException {
        String fields = field.isEmpty() ? "" : field + "\r\n";
        try (AdminServer server = start()) {
            String answer =
                    ask(server, method + " /health HTTP/1.1\r\nHost: " + host + "\r\n" + fields);
            assertThat(answer)
                    .startsWith("HTTP/1.1 " + status + " ")
                    .containsIgnoringCase("\r\nconnection: close\r\n")
                    .endsWith(body);
            if (status == 405) {
                assertThat(answer).containsIgnoringCase("\r\nallow: GET, HEAD, POST\r\n");
            }
        }
    }

    /** RFC 9110 9.3.2: the same fields as for a GET, and nothing behind them. */
    @Test
    void answersAHeadWithTheFieldsOfAGet() throws IOException {
        try (AdminServer server = start()) {
            assertThat(ask(server, GET.replace("GET", "HEAD")) + "GET /health")
                    .isEqualTo(ask(server, GET));
        }
    }

    @Test
    void limitsItsConnections() throws IOException {
        try (AdminServer server = start(TIME_MAX);
                Socket first = connect(server);
                Socket second = connect(server)) {
            await().until(() -> refused(server));
            first.close();
            await().until(() -> !refused(server));
            assertThat(second.isConnected()).isTrue();
        }
    }

    /** An octet now and then is no reason to keep a connection from others. */
    @Test
    void aRequestHasAnEnd() throws Exception {
        try (AdminServer server = start(Duration.ofMillis(500));
                Socket silent = connect(server);
                Socket slow = connect(server)) {
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            OutputStream out = slow.getOutputStream();
            Thread trickle = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        out.write('G');
                        TimeUnit.MILLISECONDS.sleep(50);
                    }
                } catch (IOException | InterruptedException e) {
                    // The server has ended it.
                    return;
                }
            });
            await().until(() -> !refused(server));
            trickle.join();
        }
    }

    /** Who closes a socket with octets unread resets the connection; an answer that is on its way is lost then. */
    @Test
    void anAnswerToHalfARequestIsNotLost(@TempDir Path folder) throws Exception {
        UnixDomainSocketAddress listen = UnixDomainSocketAddress.of(folder.resolve("socket"));
        CompletableFuture<AdminServer.@Nullable Page> written = new CompletableFuture<>();
        try (AdminServer server = AdminServer.start(
                        listen, "the operator", 1, TIME_MAX, fields -> written.join(), new Echo());
                SocketChannel peer = SocketChannel.open(listen)) {
            String request = "GET /a HTTP/1.1\r\nConnection: close\r\n\r\n";
            peer.write(ByteBuffer.wrap(
                    (request + "x".repeat(50_000)).getBytes(StandardCharsets.US_ASCII)));
            written.complete(null);
            // There is room for another connection when this one is closed.
            await().until(() -> answer(listen, request).endsWith("GET /a"));
            assertThat(read(peer)).startsWith("HTTP/1.1 200 ").endsWith("GET /a");
        }
    }

    private static String answer(UnixDomainSocketAddress listen, String request) {
        try (SocketChannel other = SocketChannel.open(listen)) {
            other.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            return read(other);
        } catch (IOException e) {
            return "";
        }
    }

    private static String read(SocketChannel channel) throws IOException {
        return new String(
                Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static boolean refused(AdminServer server) {
        try {
            return ask(server, GET).isEmpty();
        } catch (IOException e) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "192.0.2.1"})
    void keepsToLoopbackUnlessTold(String address) throws IOException {
        InetSocketAddress listen = new InetSocketAddress(address, 9100);
        AdminSettings local = AdminSettings.read(Settings.defaults());
        assertThatThrownBy(() -> local.requireAllowed(listen))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(" and " + address + ":9100 is another address")
                .hasMessageContaining("admin.remote=true");
        AdminSettings.read(new Settings(Map.of("admin.remote", "true"))).requireAllowed(listen);
    }
}
