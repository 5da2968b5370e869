package org.hubmark.server;

import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.FileErrors;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.UserError;
import org.hubmark.hub.delivery.MessageFolder;
import org.hubmark.queue.CheckReport;
import org.hubmark.queue.OperatorAction;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks into a queue. A command whose method has parameters of its own has the options of help first: by their
 * place picocli finds the values.
 */
@Command(
        name = "queue",
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks into a queue and changes it, also while a hub is running on it.",
        subcommands = QueueStatsCommand.class)
public final class QueueCommand implements Callable<Integer> {
    private static final String EITHER_WAY =
            " The running hub does it, or this command if no hub runs.";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw UserError.usage("queue needs one of "
                + String.join(", ", spec.subcommands().keySet())
                + "; see hubmark queue --help");
    }

    /** Lists messages. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description =
                    "Lists messages, oldest first. Sizes are in bytes, times in UTC. With --json, prints an"
                            + " object a line.")
    int list(
            @Mixin QueueVolumes volumes,
            @Mixin JsonOption json,
            @Option(
                            names = "--state",
                            paramLabel = "STATE",
                            description = "State to list: queued, deferred, dead, returned, header"
                                    + " or damaged. Default: all.")
                    QueuedMessage.@Nullable State state) {
        return volumes.read(queue -> {
            PrintWriter out = out();
            if (!json.on) {
                out.println(QueueLines.header());
            }
            queue.forEach(message -> {
                QueuedMessage.State found = message.state();
                if (state == null
                        || state == found
                        || (state == QueuedMessage.State.DEAD && found.isDead())) {
                    out.println(json.on ? QueueLines.json(message) : QueueLines.row(message));
                }
            });
            return 0;
        });
    }

    /** Shows one message. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows everything that is known of a message except its content.")
    int show(
            @Mixin QueueVolumes volumes,
            @Parameters(paramLabel = "ID", description = "Id of the message.") QueueId id,
            @Mixin JsonOption json) {
        return volumes.read(queue -> {
            ObjectNode fields = QueueLines.json(
                    queue.find(id).orElseThrow(() -> UserError.failed("not in the queue: " + id)));
            PrintWriter out = out();
            out.print(json.on ? fields + "\n" : QueueLines.lines(fields));
            out.flush();
            return 0;
        });
    }

    /** Writes all messages into a folder. */
    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description =
                    "Writes each message to ID.eml and its envelope to ID.json. Changes nothing in the"
                            + " queue. Names each message that can't be read, and exits with 1 if"
                            + " there was one.")
    int export(
            @Mixin QueueVolumes volumes,
            @Option(
                            names = "--to",
                            paramLabel = "DIR",
                            required = true,
                            description = "Folder to write to, made if absent. Required.")
                    Path folder) {
        AtomicLong written = new AtomicLong();
        AtomicLong damaged = new AtomicLong();
        volumes.read(queue -> {
            MessageFolder to = MessageFolder.open(folder);
            queue.forEach(message -> {
                try {
                    to.write(
                            message.id(),
                            message.envelope(),
                            message.sizeBytes(),
                            queue.content(message.id()));
                    written.incrementAndGet();
                } catch (IOException e) {
                    throw UserError.failed(FileErrors.text(e));
                } catch (UncheckedIOException e) {
                    damaged.addAndGet(sayDamaged(volumes, message.id(), e));
                }
            });
            return 0;
        });
        out().println(written + " messages written to " + folder);
        return damaged.get() == 0 ? 0 : 1;
    }

    /** {@return how many there are: none where it was delivered since the queue was listed} */
    private int sayDamaged(QueueVolumes volumes, QueueId id, UncheckedIOException e) {
        int count = volumes.read(later -> later.find(id).isPresent() ? 1 : 0);
        if (count > 0) {
            PrintWriter errors = spec.commandLine().getErr();
            errors.println("hubmark: message " + id + " is damaged and was not written: "
                    + e.getMessage());
            errors.flush();
        }
        return count;
    }

    /** Makes messages due. */
    @Command(
            name = "retry",
            description = "Makes deferred messages and dead letters due now." + EITHER_WAY)
    int retry(@Mixin QueueChange change) {
        return change.make(
                OperatorAction.RETRY,
                "neither deferred nor a dead letter, or one of which version 0.1.0 kept only the"
                        + " header");
    }

    /** Takes messages out of delivery. */
    @Command(
            name = "dead-letter",
            description =
                    "Makes messages dead letters, which stay in the queue and are not delivered."
                            + EITHER_WAY)
    int deadLetter(@Mixin QueueChange change) {
        return change.make(OperatorAction.DEAD_LETTER, "a dead letter already");
    }

    /** Makes messages due that were set aside. */
    @Command(
            name = "release",
            description = "Makes damaged messages due now: those that were set aside because they"
                    + " could not be read or their delivery failed." + EITHER_WAY)
    int release(@Mixin QueueChange change) {
        return change.make(OperatorAction.RELEASE, "not damaged");
    }

    /** Takes messages out of the queue. */
    @Command(
            name = "delete",
            description =
                    "Deletes messages for good: no recipient receives them, and no sender is notified. Logs"
                            + " each deletion. Leaves a message that is being delivered alone."
                            + EITHER_WAY)
    int delete(@Mixin QueueChange change) {
        // A message in any state can be deleted.
        return change.make(OperatorAction.DELETE, "");
    }

    /** Checks a queue. */
    @Command(
            name = "check",
            description =
                    "Reads the whole queue and verifies it, also while a hub runs. Exits with 1 if something"
                            + " is damaged. With --json, prints an object (messages, bytes, problems).")
    int check(@Mixin QueueVolumes volumes, @Mixin JsonOption json) {
        return volumes.read(queue -> {
            PrintWriter out = out();
            CheckReport report = queue.check();
            if (json.on) {
                out.println(QueueLines.json(report));
                return report.sound() ? 0 : 1;
            }
            report.problems().forEach(out::println);
            out.println(report.messages() + " messages, " + report.bytes() + " bytes read, "
                    + (report.sound() ? "nothing wrong" : report.problems().size() + " problems"));
            if (!report.sound()) {
                out.println("the items named above are damaged: keep a copy of both volumes,"
                        + " save readable messages with queue export, and replace the medium");
            }
            return report.sound() ? 0 : 1;
        });
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
