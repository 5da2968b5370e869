package org.hubmark.bench.users.profile;

import org.hubmark.bench.users.result.PerUserDay;
import org.hubmark.bench.users.result.Task;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What one user does in a day.
 *
 * @param tasksPerDay how often, by task, at times of its own; a task that is missing is not done
 * @param weights of the tasks in the score, 0 to 1
 * @param published what the source says of the load of a day; null for one's own
 * @param tree the profile as it was read, with its sources
 */
public record UserProfile(
        String name,
        Map<Task, Double> tasksPerDay,
        Reading reading,
        Writing writing,
        MailboxRule mailbox,
        List<MessageTemplate> messages,
        Map<Task, Double> weights,
        @Nullable PerUserDay published,
        Map<String, Object> tree) {
    /** The names of those that are built in. */
    public static final List<String> NAMES = List.of("light", "medium", "heavy", "very-heavy");

    private static final String FILE_END = ".yaml";

    /**
     * How mail is read.
     *
     * @param newPercent of the messages read by {@link Task#READ} that were not read before
     * @param loadAttachmentPercent of the attachments of messages read
     * @param onReceiptPercent of the messages received that are read at once, by {@link Task#REACT}
     */
    public record Reading(
            double newPercent, double loadAttachmentPercent, double onReceiptPercent) {}

    /**
     * Whom mail is written to.
     *
     * @param randomRecipients of a message
     * @param addListPercent of the messages that go to a distribution list too
     * @param savesSent whether a copy of each message sent is kept
     */
    public record Writing(
            int randomRecipients, double addListPercent, ListRule lists, boolean savesSent) {}

    /**
     * What a mailbox holds.
     *
     * @param inboxLimitMsgs above which the oldest are moved out of the inbox
     * @param bytes before the first run
     */
    public record MailboxRule(int inboxLimitMsgs, long bytes) {}

    /** Copies. */
    public UserProfile {
        tasksPerDay = Map.copyOf(tasksPerDay);
        messages = List.copyOf(messages);
        weights = Map.copyOf(weights);
    }

    /**
     * {@return a profile that is built in, or one's own from a file whose name ends in .yaml}
     *
     * @throws UserError when there is none, or the file is wrong
     */
    public static UserProfile of(String nameOrFile) {
        if (NAMES.contains(nameOrFile)) {
            return builtIn(nameOrFile);
        }
        if (!nameOrFile.endsWith(FILE_END)) {
            throw UserError.usage("--profile " + nameOrFile + " is not one of "
                    + String.join(", ", NAMES) + ", and no file whose name ends in " + FILE_END);
        }
        return ProfileFile.parse(nameOrFile, text(nameOrFile));
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (MalformedInputException e) {
            throw UserError.usage("--profile " + file + " is not UTF-8");
        } catch (IOException e) {
            throw UserError.usage(
                    "--profile " + file + " can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    private static UserProfile builtIn(String name) {
        String resource = "/profiles/" + name + FILE_END;
        try (InputStream in = UserProfile.class.getResourceAsStream(resource)) {
            byte[] text = Objects.requireNonNull(in, resource).readAllBytes();
            return ProfileFile.parse(name, new String(text, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return how often a task is done in a day} */
    public double perDay(Task task) {
        return tasksPerDay.getOrDefault(task, 0.0);
    }

    /**
     * {@return the load of a day that comes of it} A reply has one recipient, any other message the
     * random ones and now and then a list.
     *
     * @param meanListMembers of the lists as they are
     */
    public PerUserDay expected(double meanListMembers) {
        double several = writing.randomRecipients + writing.addListPercent / 100 * meanListMembers;
        double replies = perDay(Task.REPLY);
        double others = perDay(Task.SEND) + perDay(Task.REPLY_ALL) + perDay(Task.FORWARD);
        double received = others * several + replies;
        double sent = others + replies;
        return new PerUserDay(
                sent,
                perDay(Task.SEND),
                replies,
                perDay(Task.REPLY_ALL),
                perDay(Task.FORWARD),
                received,
                sent > 0 ? (Double) (received / sent) : null);
    }

    /** {@return a kind of message, drawn by the weights} */
    public MessageTemplate draw(SplittableRandom random) {
        double drawn = random.nextDouble() * 100;
        for (MessageTemplate template : messages) {
            drawn -= template.weightPercent();
            if (drawn < 0) {
                return template;
            }
        }
        return messages.getFirst();
    }
}
