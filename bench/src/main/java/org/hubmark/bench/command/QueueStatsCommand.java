package org.hubmark.bench.command;

import org.hubmark.queue.QueuedMessage;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
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
        private final long[] messages = new long[QueuedMessage.State.values().length];
        private final long[] bytes = new long[QueuedMessage.State.values().length];
        private @Nullable Instant oldest;

        void add(QueuedMessage message) {
            messages[message.state().ordinal()]++;
            bytes[message.state().ordinal()] += message.sizeBytes();
            Instant receivedAt = message.envelope().receivedAt();
            if (oldest == null || receivedAt.isBefore(oldest)) {
                oldest = receivedAt;
            }
        }

        void print(PrintWriter out) {
            out.println(String.format("%-8s  %12s  %16s", "state", "messages", "bytes"));
            long messagesAll = 0;
            long bytesAll = 0;
            for (QueuedMessage.State state : QueuedMessage.State.values()) {
                line(
                        out,
                        state.name().toLowerCase(Locale.ROOT),
                        messages[state.ordinal()],
                        bytes[state.ordinal()]);
                messagesAll += messages[state.ordinal()];
                bytesAll += bytes[state.ordinal()];
            }
            line(out, "all", messagesAll, bytesAll);
            out.println("oldest    " + (oldest == null ? "none" : oldest.toString()));
        }

        private static void line(PrintWriter out, String name, long messages, long bytes) {
            out.println(String.format("%-8s  %12d  %16d", name, messages, bytes));
        }
    }
}
