package org.hubmark.hub.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.FileErrors;
import org.hubmark.core.QueueId;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A hub that runs in this process or another, as its operator speaks to it: by the socket {@code
 * hubmark-admin} on its queue volume, which only the hub's own user may use. Any thread.
 */
public final class RunningHub {
    private static final int ANSWER_BYTES_MAX = 1 << 20;

    /** Each of the messages that are asked for at once may take a sync of a slow disk. */
    private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(1);

    private final ObjectMapper json = AdminCommands.mapper();
    private final Path queueVolume;

    private RunningHub(Path queueVolume) {
        this.queueVolume = queueVolume;
    }

    /**
     * {@return the hub that runs on a queue volume, if one does} What a killed hub has left there
     * counts for nothing.
     *
     * @throws IOException if this user may not ask
     */
    public static Optional<RunningHub> on(Path queueVolume) throws IOException {
        if (!AdminSocket.isThere(queueVolume)) {
            return Optional.empty();
        }
        try (SocketChannel channel = connect(queueVolume)) {
            return Optional.of(new RunningHub(queueVolume));
        } catch (ConnectException e) {
            // Nobody listens there any more.
            return Optional.empty();
        } catch (IOException e) {
            throw new IOException(
                    "can't ask the hub on " + queueVolume + ", which only its own user may: "
                            + FileErrors.text(e),
                    e);
        }
    }

    /**
     * Does something to messages, one after the other.
     *
     * @return what became of each
     * @throws IOException if the hub refuses, or ends before it has answered for all of them
     */
    public Map<QueueId, OperatorResult> operate(OperatorAction action, List<QueueId> ids)
            throws IOException {
        Map<QueueId, OperatorResult> results = new LinkedHashMap<>();
        for (int from = 0; from < ids.size(); from += AdminCommands.IDS_MAX) {
            ObjectNode request = json.createObjectNode();
            request.put(AdminCommands.COMMAND, AdminCommands.name(action));
            ArrayNode texts = request.putArray(AdminCommands.IDS);
            List<QueueId> some =
                    ids.subList(from, Math.min(ids.size(), from + AdminCommands.IDS_MAX));
            some.forEach(id -> texts.add(id.toString()));
            JsonNode answer = ask(request).path(AdminCommands.RESULTS);
            for (QueueId id : some) {
                results.put(id, result(answer.path(id.toString()).asText()));
            }
        }
        return results;
    }

    /** {@return the length of its queue and what it has done} */
    public HubStatistics stats() throws IOException {
        ObjectNode request = json.createObjectNode();
        request.put(AdminCommands.COMMAND, AdminCommands.STATS);
        JsonNode answer = ask(request).path(AdminCommands.STATS);
        if (!answer.isObject()) {
            throw noAnswer();
        }
        return json.treeToValue(answer, HubStatistics.class);
    }

    private OperatorResult result(String text) throws IOException {
        for (OperatorResult known : OperatorResult.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(text)) {
                return known;
            }
        }
        throw noAnswer();
    }

    private JsonNode ask(ObjectNode request) throws IOException {
        String line;
        try (SocketLine connection = new SocketLine(connect(queueVolume))) {
            connection.write(request.toString(), AdminSocket.REQUEST_TIME_MAX);
            line = connection.read(ANSWER_BYTES_MAX, ANSWER_TIME_MAX);
        } catch (IOException e) {
            throw new IOException(name() + " has ended: " + FileErrors.text(e), e);
        }
        JsonNode answer = MissingNode.getInstance();
        if (line != null) {
            answer = json.readTree(line);
        }
        if (answer.has(AdminCommands.ERROR)) {
            throw new IOException(
                    name() + ": " + answer.path(AdminCommands.ERROR).asText());
        }
        return answer;
    }

    private static SocketChannel connect(Path queueVolume) throws IOException {
        return SocketPath.use(
                queueVolume.resolve(AdminSocket.FILE),
                path -> SocketChannel.open(UnixDomainSocketAddress.of(path)));
    }

    private IOException noAnswer() {
        return new IOException(name() + " has not answered, as it does when it ends; the request"
                + " may be done all the same");
    }

    private String name() {
        return "the hub on " + queueVolume;
    }
}
