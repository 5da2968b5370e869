package org.hubmark.bench.measure.watch;

import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;

/** Reads the counters of a machine from the watch on it, over HTTP or a pipe. One thread. */
public final class WatchClient implements MachineSource {
    private final Connection connection;

    /** The way to a watch. */
    interface Connection extends AutoCloseable {
        /**
         * {@return what stands under a path, as JSON} Blocks for a limited time.
         *
         * @throws IOException when there is no answer, or the watch says why it has none
         */
        String ask(String path) throws IOException;

        @Override
        default void close() {}
    }

    /** A connection for each request. */
    private record OverHttp(String address, @Nullable String authorization) implements Connection {
        @Override
        public String ask(String path) throws IOException {
            HttpText.Answer answer = get(path);
            if (answer.status() != 200) {
                throw new IOException(
                        "it answers " + answer.status() + ": " + answer.body().strip());
            }
            return answer.body();
        }

        private HttpText.Answer get(String path) throws IOException {
            return new HttpText(URI.create("http://" + address + path), authorization).get();
        }
    }

    private WatchClient(Connection connection) {
        this.connection = connection;
    }

    /**
     * Asks for the first time.
     *
     * @param token that it wants; null for none
     * @param option that named it, for messages
     * @throws UserError when it can't be reached, wants another token, or is something else
     */
    public static WatchedMachine open(
            InetSocketAddress address, @Nullable WatchToken token, String option) {
        String name = address.getHostString() + ":" + address.getPort();
        String named = option + " " + name;
        if (new InetSocketAddress(address.getHostString(), address.getPort()).isUnresolved()) {
            throw UserError.failed(named + ": no such host");
        }
        OverHttp http = new OverHttp(name, token == null ? null : token.authorization());
        try {
            HttpText.Answer answer = http.get(WatchReading.PATH);
            if (answer.status() == 401 || answer.status() == 403) {
                throw UserError.failed(named + " refuses: " + answer.body().strip()
                        + (token == null ? "; see " + option + "-token-file" : ""));
            }
            if (answer.status() != 200) {
                throw UserError.failed(
                        named + " is not a hubmark watch: it answers " + answer.status());
            }
            return of(http, answer.body(), "watch", name, named);
        } catch (IOException e) {
            throw UserError.failed(named + " can't be reached (" + FileErrors.reason(e) + ")");
        }
    }

    /**
     * Takes over a connection; closing what comes back closes it.
     *
     * @param answer the first, to {@link WatchReading#PATH}
     * @param kind of the connection, for the results
     * @param address of the watch, likewise
     * @param named both as the user gave them, for messages
     * @throws UserError when that is not the answer of a watch of this form
     */
    static WatchedMachine of(
            Connection connection, String answer, String kind, String address, String named)
            throws IOException {
        return WatchedMachine.of(new WatchClient(connection), kind, address, first(named, answer));
    }

    private static WatchReading first(String named, String answer) {
        try {
            WatchReading.Form form = WatchReading.parse(answer, WatchReading.Form.class);
            if (form.watch() == 0) {
                throw UserError.failed(named + " is not a hubmark watch");
            }
            if (form.watch() != WatchReading.VERSION) {
                throw UserError.failed(named + " is hubmark " + form.hubmark()
                        + ", which speaks version " + form.watch()
                        + " of the watch's form, and this driver version " + WatchReading.VERSION
                        + "; run the same hubmark on both machines");
            }
            return WatchReading.parse(answer, WatchReading.class);
        } catch (IOException e) {
            throw UserError.failed(named + " is not a hubmark watch (" + e.getMessage() + ")");
        }
    }

    @Override
    public MachineReading read() throws IOException {
        return WatchReading.parse(connection.ask(WatchReading.COUNTERS), MachineReading.class);
    }

    @Override
    public MachineReading readAll() throws IOException {
        return WatchReading.parse(connection.ask(WatchReading.PATH), WatchReading.class)
                .counters();
    }

    @Override
    public void close() {
        connection.close();
    }
}
