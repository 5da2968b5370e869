package org.hubmark.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.FileErrors;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.UserError;
import org.hubmark.hub.admin.HubStatistics;
import org.hubmark.hub.admin.RunningHub;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Sums up a queue after a look at all of its messages, a field a line or as JSON. */
@Command(
        name = "stats",
        description =
                "Counts the messages by state, and shows the work of the hub that runs on the queue."
                        + " With --json, prints an object.")
final class QueueStatsCommand implements Callable<Integer> {
    private final Map<QueuedMessage.State, Long> counts = new EnumMap<>(QueuedMessage.State.class);
    private long bytes;
    private @Nullable Instant oldest;

    @Mixin
    private QueueVolumes volumes;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        ObjectNode hub = running();
        int code = volumes.read(queue -> {
            queue.forEach(this::add);
            return 0;
        });
        ObjectNode fields = fields();
        fields.set("hub", hub);
        out.print(json.on ? fields + "\n" : QueueLines.lines(fields));
        out.flush();
        return code;
    }

    private void add(QueuedMessage message) {
        counts.merge(message.state(), 1L, Long::sum);
        bytes += message.sizeBytes();
        Instant receivedAt = message.envelope().receivedAt();
        if (oldest == null || receivedAt.isBefore(oldest)) {
            oldest = receivedAt;
        }
    }

    private ObjectNode fields() {
        long queued = count(QueuedMessage.State.QUEUED);
        long deferred = count(QueuedMessage.State.DEFERRED);
        return JsonNodeFactory.instance
                .objectNode()
                .put(
                        "messages",
                        counts.values().stream().mapToLong(Long::longValue).sum())
                .put("bytes", bytes)
                .put("waiting_messages", queued + deferred)
                .put("queued_messages", queued)
                .put("deferred_messages", deferred)
                .put(
                        "dead_messages",
                        count(QueuedMessage.State.DEAD)
                                + count(QueuedMessage.State.RETURNED)
                                + count(QueuedMessage.State.HEADER))
                .put("damaged_messages", count(QueuedMessage.State.DAMAGED))
                .put("oldest_received_at", oldest == null ? null : oldest.toString());
    }

    private long count(QueuedMessage.State state) {
        return counts.getOrDefault(state, 0L);
    }

    private @Nullable ObjectNode running() {
        HubStatistics stats;
        try {
            Optional<RunningHub> hub = volumes.hub();
            if (hub.isEmpty()) {
                return null;
            }
            stats = hub.get().stats();
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("process", stats.process())
                .put("uptime_s", stats.uptimeSeconds())
                .put("accepted_messages", stats.acceptedMessages())
                .put("delivered_messages", stats.deliveredMessages())
                .put("deferred_attempts", stats.deferredAttempts())
                .put("back_pressure", stats.backPressure())
                .put("refusing", stats.refusing());
    }
}
