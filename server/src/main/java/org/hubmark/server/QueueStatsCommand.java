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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Sums up a queue after a look at all of its messages, as a table or as JSON. */
@Command(
        name = "stats",
        description =
                "Counts the messages and their bytes by state, and shows the work of the hub that runs"
                        + " on the queue. With --json, prints an object.")
final class QueueStatsCommand implements Callable<Integer> {
    @Mixin
    private QueueVolumes volumes;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        HubStatistics running = running();
        Sums sums = new Sums();
        int code = volumes.read(queue -> {
            queue.forEach(sums::add);
            return 0;
        });
        if (json.on) {
            ObjectNode fields = sums.json();
            fields.set("hub", running == null ? null : json(running));
            out.println(fields);
        } else {
            out.print(sums.text() + (running == null ? "" : text(running)));
        }
        out.flush();
        return code;
    }

    private @Nullable HubStatistics running() {
        try {
            Optional<RunningHub> hub = volumes.hub();
            return hub.isPresent() ? hub.get().stats() : null;
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
    }

    private static ObjectNode json(HubStatistics stats) {
        ObjectNode hub = JsonNodeFactory.instance.objectNode();
        hub.put("process", stats.process());
        hub.put("uptime_s", stats.uptimeSeconds());
        hub.put("accepted_messages", stats.acceptedMessages());
        hub.put("delivered_messages", stats.deliveredMessages());
        hub.put("deferred_attempts", stats.deferredAttempts());
        hub.put("back_pressure", stats.backPressure());
        hub.put("refusing", stats.refusing());
        return hub;
    }

    private static String text(HubStatistics stats) {
        return "hub       process " + stats.process() + ", up for " + stats.uptimeSeconds() + " s: "
                + stats.acceptedMessages() + " messages accepted, " + stats.deliveredMessages()
                + " delivered, " + stats.deferredAttempts() + " attempts put off\n"
                + "pressure  " + stats.backPressure()
                + (stats.refusing() == null ? "" : "; mail is refused: " + stats.refusing())
                + "\n";
    }

    /** Counts of one look at a queue. */
    private static final class Sums {
        private final Map<QueuedMessage.State, Sum> states =
                new EnumMap<>(QueuedMessage.State.class);
        private final Sum all = new Sum();
        private @Nullable Instant oldest;

        Sums() {
            for (QueuedMessage.State state : QueuedMessage.State.values()) {
                states.put(state, new Sum());
            }
        }

        void add(QueuedMessage message) {
            of(message.state()).add(message);
            all.add(message);
            Instant receivedAt = message.envelope().receivedAt();
            if (oldest == null || receivedAt.isBefore(oldest)) {
                oldest = receivedAt;
            }
        }

        String text() {
            StringBuilder lines = new StringBuilder();
            lines.append(
                    String.format(Locale.ROOT, "%-8s  %12s  %16s%n", "state", "messages", "bytes"));
            states.forEach(
                    (state, sum) -> lines.append(sum.line(state.name().toLowerCase(Locale.ROOT))));
            lines.append(all.line("all"));
            lines.append("oldest    " + (oldest == null ? "none" : oldest.toString()) + "\n");
            return lines.toString();
        }

        ObjectNode json() {
            long queued = of(QueuedMessage.State.QUEUED).messages;
            long deferred = of(QueuedMessage.State.DEFERRED).messages;
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            fields.put("messages", all.messages);
            fields.put("bytes", all.bytes);
            fields.put("waiting_messages", queued + deferred);
            fields.put("queued_messages", queued);
            fields.put("deferred_messages", deferred);
            fields.put(
                    "dead_messages",
                    of(QueuedMessage.State.DEAD).messages
                            + of(QueuedMessage.State.RETURNED).messages
                            + of(QueuedMessage.State.HEADER).messages);
            fields.put("damaged_messages", of(QueuedMessage.State.DAMAGED).messages);
            fields.put("oldest_received_at", oldest == null ? null : oldest.toString());
            return fields;
        }

        private Sum of(QueuedMessage.State state) {
            return states.computeIfAbsent(state, absent -> new Sum());
        }
    }

    /** Messages and their bytes. */
    private static final class Sum {
        private long messages;
        private long bytes;

        void add(QueuedMessage message) {
            messages++;
            bytes += message.sizeBytes();
        }

        String line(String name) {
            return String.format(Locale.ROOT, "%-8s  %12d  %16d%n", name, messages, bytes);
        }
    }
}
