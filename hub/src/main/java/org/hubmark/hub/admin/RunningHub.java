package org.hubmark.hub.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.core.FileErrors;
import org.hubmark.core.QueueId;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A hub that runs in this process or another, as its operator speaks to it: by HTTP over the socket {@code
 * hubmark-admin} on its queue volume, which only the hub's own user may use. Any thread.
 */
public final class RunningHub {
    private static final int ANSWER_BYTES_MAX = 1 << 20;

    /** Each of the messages that are asked for at once may take a sync of a slow disk. */
    private static final long ANSWER_SECONDS_MAX = 60;

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
            List<QueueId> some =
                    ids.subList(from, Math.min(ids.size(), from + AdminCommands.IDS_MAX));
            String body = some.stream().map(QueueId::toString).collect(Collectors.joining("\n"));
            Map<String, OperatorResult> answer =
                    ask("POST", AdminCommands.path(action), body, new TypeReference<>() {});
            for (QueueId id : some) {
                OperatorResult result = answer.get(id.toString());
                if (result == null) {
                    throw noAnswer();
                }
                results.put(id, result);
            }
        }
        return results;
    }

    /** {@return the length of its queue and what it has done} */
    public HubStatistics stats() throws IOException {
        return ask("GET", AdminCommands.STATS, "", new TypeReference<>() {});
    }

    /** Java's own client of HTTP knows no Unix domain sockets. */
    private <T> T ask(String method, String path, String body, TypeReference<T> type)
            throws IOException {
        String request = method + " " + path + " HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        String answer;
        try (SocketChannel channel = connect(queueVolume)) {
            CompletableFuture.delayedExecutor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)
                    .execute(() -> close(channel));
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            answer = new String(
                    Channels.newInputStream(channel).readNBytes(ANSWER_BYTES_MAX),
                    StandardCharsets.UTF_8);
        } catch (AsynchronousCloseException e) {
            throw noAnswer();
        } catch (IOException e) {
            throw new IOException(name() + " has ended: " + FileErrors.text(e), e);
        }
        int fieldsEnd = answer.indexOf("\r\n\r\n");
        if (fieldsEnd < 0) {
            throw noAnswer();
        }
        String page = answer.substring(fieldsEnd).strip();
        if (!answer.startsWith("HTTP/1.1 200 ")) {
            throw new IOException(name() + ": " + page);
        }
        try {
            return json.readValue(page, type);
        } catch (JsonProcessingException e) {
            throw noAnswer();
        }
    }

    private static SocketChannel connect(Path queueVolume) throws IOException {
        return SocketPath.use(
                queueVolume.resolve(AdminSocket.FILE),
                path -> SocketChannel.open(UnixDomainSocketAddress.of(path)));
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Whoever reads from it is told.
            return;
        }
    }

    private IOException noAnswer() {
        return new IOException(name()
                + " did not answer in time, or has ended; the request may still take effect");
    }

    private String name() {
        return "the hub on " + queueVolume;
    }
}
