package org.hubmark.bench.measure.watch;

import com.fasterxml.jackson.core.JacksonException;

import org.hubmark.bench.measure.hub.HubClient;
import org.hubmark.bench.measure.hub.HubSpec;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;

/** Has a watch that was told to allow it start and end hubs on its machine. Blocks. */
public final class WatchedHubs {
    static final String START = "/hub/start";
    static final String STOP = "/hub/stop";
    static final String DEATH = "/hub/death";
    /** What stands behind it is asked of the hub itself. */
    static final String ASK = "/hub/ask";

    private final String name;
    private final @Nullable String authorization;

    /**
     * Makes a client; nobody is asked yet.
     *
     * @param token that the watch wants; null for none
     */
    public WatchedHubs(InetSocketAddress address, @Nullable WatchToken token) {
        this.name = address.getHostString() + ":" + address.getPort();
        this.authorization = token == null ? null : token.authorization();
    }

    /**
     * {@return a hub that was started, in the place of one that still ran}
     *
     * @throws UserError with what the watch says, if it doesn't
     */
    public StartedHub start(HubSpec spec) throws IOException {
        String order = WatchReading.MAPPER.writeValueAsString(HubOrder.of(spec));
        try {
            return WatchReading.MAPPER.readValue(post(START, order), StartedHub.class);
        } catch (JacksonException e) {
            throw UserError.failed("the watch at " + name + " describes its hub in a form that"
                    + " can't be read ("
                    + e.getOriginalMessage() + ")");
        }
    }

    /** Ends the hub by SIGTERM, which drains. */
    public void stop() {
        try {
            var unused = post(STOP, "");
        } catch (IOException e) {
            throw UserError.failed(
                    "the watch at " + name + " no longer answers (" + FileErrors.reason(e) + ")");
        }
    }

    /** {@return what to say if the hub has ended by itself, or can't be asked for; null while it runs} */
    public @Nullable String death() {
        try {
            HttpText.Answer answer = at(DEATH).get();
            String words = answer.body().strip();
            return words.isEmpty() ? null : words;
        } catch (IOException e) {
            return "the watch at " + name + " no longer answers (" + FileErrors.reason(e) + ")";
        }
    }

    /** {@return asks the hub for its counters} */
    public HubClient client() {
        return new HubClient(name + ASK, authorization);
    }

    private String post(String path, String body) throws IOException {
        HttpText.Answer answer = at(path).post(body);
        if (answer.status() != 200) {
            throw UserError.failed("the watch at " + name + ": " + answer.body().strip());
        }
        return answer.body();
    }

    private HttpText at(String path) {
        return new HttpText(URI.create("http://" + name + path), authorization);
    }
}
