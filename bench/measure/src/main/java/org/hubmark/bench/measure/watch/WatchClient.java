package org.hubmark.bench.measure.watch;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;

/** Reads the counters of a machine from the {@link WatchServer} on it. One thread. */
public final class WatchClient implements MachineSource {
    private final HttpText whole;
    private final HttpText counters;

    private WatchClient(HttpText whole, HttpText counters) {
        this.whole = whole;
        this.counters = counters;
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
        String authorization = token == null ? null : token.authorization();
        HttpText http =
                new HttpText(URI.create("http://" + name + WatchReading.PATH), authorization);
        try {
            HttpText.Answer answer = http.get();
            if (answer.status() == 401 || answer.status() == 403) {
                throw UserError.failed(named + " refuses: " + answer.body().strip()
                        + (token == null ? "; see " + option + "-token-file" : ""));
            }
            WatchReading reading = first(named, answer);
            return WatchedMachine.of(
                    new WatchClient(
                            http,
                            new HttpText(
                                    URI.create("http://" + name + WatchReading.COUNTERS),
                                    authorization)),
                    new WatchedMachine.About(
                            "watch",
                            name,
                            reading.ofProcesses(),
                            reading.machine(),
                            reading.cyclesSource(),
                            0));
        } catch (IOException e) {
            throw UserError.failed(named + " can't be reached (" + FileErrors.reason(e) + ")");
        }
    }

    private static WatchReading first(String named, HttpText.Answer answer) {
        String what = named + " is no hubmark watch";
        if (answer.status() != 200) {
            throw UserError.failed(what + ": it answers " + answer.status());
        }
        try {
            JsonNode tree = WatchReading.MAPPER.readTree(answer.body());
            int version = tree.path("watch").asInt();
            if (version == 0) {
                throw UserError.failed(what);
            }
            if (version != WatchReading.VERSION) {
                throw UserError.failed(named + " speaks version " + version
                        + " of the watch's form and this driver version " + WatchReading.VERSION
                        + "; run the same hubmark on both machines");
            }
            return WatchReading.MAPPER.treeToValue(tree, WatchReading.class);
        } catch (JacksonException e) {
            throw UserError.failed(what + " (" + e.getOriginalMessage() + ")");
        }
    }

    @Override
    public MachineReading read() throws IOException {
        return WatchReading.MAPPER.readValue(body(counters), MachineReading.class);
    }

    @Override
    public MachineReading readAll() throws IOException {
        return WatchReading.MAPPER.readValue(body(whole), WatchReading.class).counters();
    }

    private static String body(HttpText http) throws IOException {
        HttpText.Answer answer = http.get();
        if (answer.status() != 200) {
            throw new IOException(
                    "it answers " + answer.status() + ": " + answer.body().strip());
        }
        return answer.body();
    }
}
