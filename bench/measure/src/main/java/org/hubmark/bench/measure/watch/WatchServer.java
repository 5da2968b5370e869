package org.hubmark.bench.measure.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.hubmark.hub.admin.AdminServer;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;

/**
 * Hands out this machine's counters: over HTTP to drivers that show a token, all on the one thread of its
 * HTTP server, or over a pipe to one driver.
 */
public final class WatchServer implements AutoCloseable {
    /** Drivers that share a server, and some who look by hand. */
    private static final int CONNECTIONS_MAX = 16;

    /**
     * Readings that the watch makes before it is announced, so that the first work of a JVM is not
     * in the measured time.
     */
    private static final int READINGS_AHEAD = 60;

    /** The first line over a pipe; what comes before it, such as the words of a profile, isn't the watch's. */
    static final String READY = "listening on standard input";

    /** Longest path of a request; no path of ours is half as long. */
    private static final int REQUEST_OCTETS_MAX = 200;

    private static final String JSON = "application/json";

    private final AdminServer server;

    /**
     * Server that is watched.
     *
     * @param hubmark the version of this program
     * @param ofProcesses whether the source knows the CPU time of the server's own processes
     * @param cyclesSource where the source's cycles come from; null when it has none
     * @param source read on one thread at a time: that of the start, then the server's
     * @param machine with the volumes that the server writes to
     */
    public record Watched(
            String hubmark,
            boolean ofProcesses,
            @Nullable String cyclesSource,
            MachineSource source,
            Environment machine) {}

    private WatchServer(AdminServer server) {
        this.server = server;
    }

    /**
     * Listens and answers.
     *
     * @param token that each request has to show; null for whoever reaches the address
     * @throws IOException if the address can't be had
     */
    public static WatchServer start(
            InetSocketAddress listen, @Nullable WatchToken token, Watched watched)
            throws IOException {
        AdminServer server = AdminServer.start(
                listen,
                "watch",
                CONNECTIONS_MAX,
                fields -> refusal(token, fields),
                new Readings(watched));
        try {
            askAhead(server.address(), token);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return new WatchServer(server);
    }

    private static void askAhead(InetSocketAddress listening, @Nullable WatchToken token)
            throws IOException {
        InetAddress address = listening.getAddress().isAnyLocalAddress()
                ? InetAddress.getLoopbackAddress()
                : listening.getAddress();
        HttpText http = new HttpText(
                URI.create("http://"
                        + NetUtil.toSocketAddressString(
                                new InetSocketAddress(address, listening.getPort()))
                        + WatchReading.COUNTERS),
                token == null ? null : token.authorization());
        try {
            for (int i = 0; i < READINGS_AHEAD; i++) {
                HttpText.Answer unused = http.get();
            }
        } catch (SocketTimeoutException e) {
            // On a machine as busy as that the first drivers wait for what is compiled now.
            return;
        }
    }

    /**
     * Answers over a pipe, on the caller's thread, until the driver's end of it closes. Each line of a request
     * is a path, and each answer is one line of JSON; what can't be answered has the reason under {@code
     * error}. A first line says that it is ready.
     *
     * @throws IOException if the driver is no longer there for an answer
     */
    public static void answer(InputStream requests, OutputStream answers, Watched watched)
            throws IOException {
        Readings readings = new Readings(watched);
        for (int i = 0; i < READINGS_AHEAD; i++) {
            AdminServer.Page unused = readings.get(WatchReading.COUNTERS);
        }
        answers.write((READY + "\n").getBytes(UTF_8));
        answers.flush();
        for (String path = line(requests, REQUEST_OCTETS_MAX);
                path != null;
                path = line(requests, REQUEST_OCTETS_MAX)) {
            AdminServer.Page page = readings.get(path);
            String answer = page.status().equals(HttpResponseStatus.OK)
                    ? page.body()
                    : WatchReading.MAPPER.writeValueAsString(
                                    new WatchReading.Failure(page.body().strip()))
                            + "\n";
            answers.write(answer.getBytes(UTF_8));
            answers.flush();
        }
    }

    /**
     * {@return the next line without its end; null when there is none}
     *
     * @throws IOException also when it is longer than that
     */
    static @Nullable String line(InputStream in, int octetsMax) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                return line.size() == 0 ? null : line.toString(UTF_8);
            }
            if (line.size() == octetsMax) {
                throw new IOException("a line is longer than " + octetsMax + " octets");
            }
            line.write(octet);
        }
        return line.toString(UTF_8);
    }

    /** {@return where it listens, with the port that was picked} */
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
    }

    private static AdminServer.@Nullable Page refusal(
            @Nullable WatchToken token, HttpHeaders fields) {
        if (token == null) {
            // A web page in a browser on this machine could reach it under a name of its own.
            return isAddress(fields.get(HttpHeaderNames.HOST, ""))
                    ? null
                    : AdminServer.Page.text(
                            HttpResponseStatus.MISDIRECTED_REQUEST,
                            "ask this watch by its address\n");
        }
        String shown = fields.get(HttpHeaderNames.AUTHORIZATION);
        if (shown == null) {
            return AdminServer.Page.text(
                    HttpResponseStatus.UNAUTHORIZED,
                    "this watch needs a token: Authorization: Bearer TOKEN\n");
        }
        return token.isShownBy(shown)
                ? null
                : AdminServer.Page.text(
                        HttpResponseStatus.FORBIDDEN, "the token is not that of this watch\n");
    }

    private static boolean isAddress(String host) {
        return host.startsWith("[") || host.matches("(localhost|[0-9.]+)(:\\d+)?");
    }

    private record Readings(Watched watched) implements AdminServer.Pages {
        @Override
        public AdminServer.Page get(String path) {
            if (path.equals(WatchReading.COUNTERS)) {
                return counters();
            }
            if (path.equals(WatchReading.PATH)) {
                return reading();
            }
            return absent();
        }

        private AdminServer.Page counters() {
            return json(() -> watched.source().read());
        }

        private AdminServer.Page reading() {
            return json(() -> new WatchReading(
                    WatchReading.VERSION,
                    watched.hubmark(),
                    watched.ofProcesses(),
                    watched.cyclesSource(),
                    watched.source().readAll(),
                    watched.machine()));
        }

        /** Reading that is handed out. */
        @FunctionalInterface
        private interface Looked {
            Object read() throws IOException;
        }

        private static AdminServer.Page json(Looked looked) {
            try {
                return new AdminServer.Page(
                        HttpResponseStatus.OK,
                        JSON,
                        WatchReading.MAPPER.writeValueAsString(looked.read()) + "\n");
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a reading has a form", e);
            } catch (IOException e) {
                return AdminServer.Page.text(
                        HttpResponseStatus.INTERNAL_SERVER_ERROR,
                        "the counters can't be read (" + FileErrors.reason(e) + ")\n");
            }
        }

        @Override
        public AdminServer.Page post(String path, String body) {
            return AdminServer.Page.text(
                    HttpResponseStatus.METHOD_NOT_ALLOWED, "a watch is only read\n");
        }

        private static AdminServer.Page absent() {
            return AdminServer.Page.text(
                    HttpResponseStatus.NOT_FOUND, "there is " + WatchReading.PATH + "\n");
        }
    }
}
