package org.hubmark.bench.cli;

import org.hubmark.queue.QueuedMessage;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** Sums up a queue. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        description = "Counts the messages and their bytes by state.")
final class QueueStatsCommand implements Callable<Integer> {
    @Mixin
    private QueueVolumes volumes;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Sums sums = new Sums();
        int code = volumes.read(queue -> {
            queue.forEach(sums::add);
            return 0;
        });
        PrintWriter out = spec.commandLine().getOut();
        sums.print(out);
        out.flush();
        return code;
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
            states.computeIfAbsent(message.state(), state -> new Sum()).add(message);
            all.add(message);
            Instant receivedAt = message.envelope().receivedAt();
            if (oldest == null || receivedAt.isBefore(oldest)) {
                oldest = receivedAt;
            }
        }

        void print(PrintWriter out) {
            out.println(String.format("%-8s  %12s  %16s", "state", "messages", "bytes"));
            states.forEach(
                    (state, sum) -> out.println(sum.line(state.name().toLowerCase(Locale.ROOT))));
            out.println(all.line("all"));
            out.println("oldest    " + (oldest == null ? "none" : oldest.toString()));
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
            return String.format("%-8s  %12d  %16d", name, messages, bytes);
        }
    }
}
