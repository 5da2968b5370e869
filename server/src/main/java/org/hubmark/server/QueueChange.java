package org.hubmark.server;

import org.hubmark.core.FileErrors;
import org.hubmark.core.QueueId;
import org.hubmark.core.UserError;
import org.hubmark.hub.admin.RunningHub;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages of a queue to do something to: by the hub that runs on it, or in its files when none does.
 */
final class QueueChange {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private QueueVolumes volumes;

    @Parameters(paramLabel = "ID", arity = "1..*", description = "Ids of the messages.")
    private List<QueueId> ids;

    /**
     * Results for the messages.
     *
     * @param where who did it
     */
    private record Changed(Map<QueueId, OperatorResult> results, String where) {}

    /**
     * Does it to all that it can be done to, and says to how many.
     *
     * @param unfit what is said of those in whose state it makes no sense
     * @throws UserError if there are others, with what they are
     */
    int make(OperatorAction action, String unfit) {
        Changed changed = operate(action);
        Map<QueueId, OperatorResult> results = changed.results();
        sayDone(action, changed);
        List<String> left = new ArrayList<>();
        for (OperatorResult result : OperatorResult.values()) {
            String why = switch (result) {
                case DONE -> "";
                case ABSENT -> "not in the queue";
                case LEASED -> "being delivered, or about to be; not changed";
                case UNFIT -> unfit;
            };
            List<String> such = ids.stream()
                    .filter(id -> results.get(id) == result)
                    .map(QueueId::toString)
                    .distinct()
                    .toList();
            if (!why.isEmpty() && !such.isEmpty()) {
                left.add(why + ": " + String.join(", ", such));
            }
        }
        if (!left.isEmpty()) {
            throw UserError.failed(String.join("; ", left));
        }
        return 0;
    }

    /** What could not be done is an error, and said after it. */
    private void sayDone(OperatorAction action, Changed changed) {
        long count = changed.results().values().stream()
                .filter(result -> result == OperatorResult.DONE)
                .count();
        if (count == 0) {
            return;
        }
        String done = switch (action) {
            case RETRY, RELEASE -> "made due";
            case DEAD_LETTER -> count == 1 ? "made a dead letter" : "made dead letters";
            case DELETE -> "deleted";
        };
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                count + (count == 1 ? " message " : " messages ") + done + " " + changed.where());
        out.flush();
    }

    private Changed operate(OperatorAction action) {
        try {
            Optional<RunningHub> hub = volumes.hub();
            if (hub.isPresent()) {
                return new Changed(hub.get().operate(action, ids), "by the running hub");
            }
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
        Map<QueueId, OperatorResult> results = new LinkedHashMap<>();
        volumes.change(store -> {
            try {
                // Of an id that is given twice the first result counts.
                ids.forEach(id -> results.computeIfAbsent(id, key -> store.operate(key, action)));
            } catch (IllegalStateException | UncheckedIOException e) {
                throw new IOException(e.getMessage(), e);
            }
            return 0;
        });
        return new Changed(results, "in the files; no hub is running");
    }
}
