package org.hubmark.bench.measure.watch;

import com.fasterxml.jackson.core.JsonProcessingException;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.hubmark.hub.AdminServer;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Hands out this machine's counters to drivers elsewhere that show a token. All on the one thread of its
 * HTTP server.
 */
public final class WatchServer implements AutoCloseable {
    /** Drivers that share a server, and some who look by hand. */
    private static final int CONNECTIONS_MAX = 16;

    private static final String JSON = "application/json";

    private final AdminServer server;

    /**
     * What is watched.
     *
     * @param hubmark the version of this program
     * @param ofProcesses whether the source knows the CPU time of the server's own processes
     * @param cyclesSource where the source's cycles come from; null when it has none
     * @param source read on the server's thread alone
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
        return new WatchServer(AdminServer.start(
                listen,
                "watch",
                CONNECTIONS_MAX,
                fields -> refusal(token, fields),
                new Readings(watched)));
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
                    "this watch wants a token: Authorization: Bearer TOKEN\n");
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
            if (!path.equals(WatchReading.PATH)) {
                return AdminServer.Page.text(
                        HttpResponseStatus.NOT_FOUND, "there is " + WatchReading.PATH + "\n");
            }
            try {
                WatchReading reading = new WatchReading(
                        WatchReading.VERSION,
                        watched.hubmark(),
                        watched.ofProcesses(),
                        watched.cyclesSource(),
                        watched.source().read(),
                        watched.machine());
                return new AdminServer.Page(
                        HttpResponseStatus.OK,
                        JSON,
                        WatchReading.MAPPER.writeValueAsString(reading) + "\n");
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
                    HttpResponseStatus.METHOD_NOT_ALLOWED, "this watch only hands out\n");
        }
    }
}
