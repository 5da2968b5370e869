package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.core.QueueId;
import org.hubmark.hub.RunningHub;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.io.IOException;
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
    @Mixin
    private QueueVolumes volumes;

    @Parameters(
            paramLabel = "ID",
            arity = "1..*",
            converter = Converters.Id.class,
            description = "Their ids.")
    private List<QueueId> ids;

    /**
     * Does it to all that it can be done to.
     *
     * @param unfit what is said of those in whose state it makes no sense
     * @throws UserError if there are others, with what they are
     */
    int make(OperatorAction action, String unfit) {
        Map<QueueId, OperatorResult> results = operate(action);
        List<String> left = new ArrayList<>();
        for (OperatorResult result : OperatorResult.values()) {
            String why = switch (result) {
                case DONE -> "";
                case ABSENT -> "not in the queue";
                case LEASED -> "being delivered or about to be, so left as it is";
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

    private Map<QueueId, OperatorResult> operate(OperatorAction action) {
        try {
            Optional<RunningHub> hub = volumes.hub();
            if (hub.isPresent()) {
                return hub.get().operate(action, ids);
            }
        } catch (IOException e) {
            throw VolumesCommand.failed(e);
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
        return results;
    }
}
