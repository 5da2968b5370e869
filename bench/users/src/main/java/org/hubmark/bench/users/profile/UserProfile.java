package org.hubmark.bench.users.profile;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.OptBoolean;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.users.result.PerUserDay;
import org.hubmark.bench.users.result.Task;
import org.hubmark.core.ByteSize;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What one user does in a day, as {@link ProfileFile} reads it: a number has to be given, and a text or a
 * group unless it may be null.
 *
 * @param weights of the tasks in the score, 0 to 1; null for the usual ones
 * @param published what the source says of the load of a day; null for one's own
 * @param notPlayed what the source has beside all this, for readers alone
 * @param tree the profile as it was read, with its sources
 */
public record UserProfile(
        String name,
        Reading reading,
        Writing writing,
        ListRule lists,
        Mailbox mailbox,
        List<MessageTemplate> messages,
        @Nullable Map<Task, Double> weights,
        @Nullable PerUserDay published,
        @Nullable Object notPlayed,

        @JacksonInject(value = "tree", useInput = OptBoolean.FALSE)
        Map<String, Object> tree) {
    /** The names of those that are built in. */
    public static final List<String> NAMES = List.of("light", "medium", "heavy", "very-heavy");

    private static final String FILE_END = ".yaml";
    /** No user does more in a day: a task a second for eight hours. */
    private static final double PER_DAY_MAX = 28_800;

    private static final int RECIPIENTS_MAX = 1000;
    private static final int INBOX_MAX = 1_000_000;
    private static final double HUNDRED = 100;
    /** Percentages are written with a few decimals. */
    private static final double ROUNDING = 0.01;

    /**
     * How mail is read.
     *
     * @param newMsgsPerDay all that are received
     * @param existingMsgsPerDay read before
     * @param movePercent of all messages read
     * @param deletePercent of all messages read
     * @param loadAttachmentPercent of the attachments of messages read
     * @param onReceiptPercent of the messages received that are read at once; null for none
     */
    public record Reading(
            double newMsgsPerDay,
            double existingMsgsPerDay,
            double browsePerDay,
            double movePercent,
            double deletePercent,
            double loadAttachmentPercent,
            @Nullable Double onReceiptPercent) {
        /** Checks. */
        public Reading {
            ProfileFile.require("new_msgs_per_day", newMsgsPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("existing_msgs_per_day", existingMsgsPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("browse_per_day", browsePerDay, 0, PER_DAY_MAX);
            ProfileFile.require("move_percent", movePercent, 0, HUNDRED);
            ProfileFile.require("delete_percent", deletePercent, 0, HUNDRED);
            ProfileFile.require("load_attachment_percent", loadAttachmentPercent, 0, HUNDRED);
            ProfileFile.require(
                    "on_receipt_percent",
                    onReceiptPercent == null ? 0 : onReceiptPercent,
                    0,
                    HUNDRED);
            if (movePercent + deletePercent > HUNDRED) {
                throw ProfileFile.wrong("move_percent", "with delete_percent it is more than 100");
            }
        }

        /** {@return how many of the messages received are read by {@link Task#REACT}, in percent} */
        public double reactPercent() {
            return onReceiptPercent == null ? 0 : onReceiptPercent;
        }

        private double onReceiptPerDay() {
            return newMsgsPerDay * reactPercent() / HUNDRED;
        }

        private double laterPerDay() {
            return newMsgsPerDay - onReceiptPerDay() + existingMsgsPerDay;
        }

        /** {@return how many of the messages read by {@link Task#READ} were not read before, in percent} */
        public double newPercent() {
            double later = laterPerDay();
            return later > 0 ? HUNDRED * (later - existingMsgsPerDay) / later : 0;
        }
    }

    /**
     * What mail is written, and to whom.
     *
     * @param randomRecipients of a message
     * @param addListPercent of the messages that go to a distribution list too
     * @param saveSent whether a copy of each message sent is kept
     */
    public record Writing(
            double sendPerDay,
            double replyPerDay,
            double replyAllPerDay,
            double forwardPerDay,
            int randomRecipients,
            double addListPercent,
            boolean saveSent) {
        /** Checks. */
        public Writing {
            ProfileFile.require("send_per_day", sendPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("reply_per_day", replyPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("reply_all_per_day", replyAllPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("forward_per_day", forwardPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("random_recipients", randomRecipients, 1, RECIPIENTS_MAX);
            ProfileFile.require("add_list_percent", addListPercent, 0, HUNDRED);
        }
    }

    /**
     * What a mailbox holds.
     *
     * @param inboxLimitMsgs above which the oldest are moved out of the inbox
     * @param size before the first run, such as 100MB
     */
    public record Mailbox(int inboxLimitMsgs, String size) {
        /** Checks. */
        public Mailbox {
            ProfileFile.require("inbox_limit_msgs", inboxLimitMsgs, 1, INBOX_MAX);
            try {
                var unused = bytes(Objects.requireNonNull(size, "size"));
            } catch (IllegalArgumentException e) {
                throw ProfileFile.wrong("size", String.valueOf(e.getMessage()));
            }
        }

        /** {@return the size} */
        public long bytes() {
            return bytes(size);
        }

        private static long bytes(String size) {
            return size.equals("0") ? 0 : ByteSize.parse(size);
        }
    }

    /** Checks. */
    public UserProfile {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reading, "reading");
        Objects.requireNonNull(writing, "writing");
        Objects.requireNonNull(lists, "lists");
        Objects.requireNonNull(mailbox, "mailbox");
        messages = List.copyOf(Objects.requireNonNull(messages, "messages"));
        double percent =
                messages.stream().mapToDouble(MessageTemplate::weightPercent).sum();
        if (Math.abs(percent - HUNDRED) > ROUNDING) {
            throw ProfileFile.wrong(
                    "messages",
                    "its weight_percent add up to " + Digits.plain(percent) + ", not to 100");
        }
        if (weights != null) {
            requireWeights(weights);
        }
        if (tasksPerDay(reading, writing).isEmpty()) {
            throw new IllegalArgumentException("its users do nothing");
        }
    }

    private static void requireWeights(Map<Task, Double> weights) {
        Set<Task> wanted = Task.weights().keySet();
        wanted.removeIf(task -> task.weight() == 0);
        if (!weights.keySet().equals(wanted)) {
            throw ProfileFile.wrong("weights", "are not of " + wanted);
        }
        weights.forEach((task, weight) -> ProfileFile.require(
                "weights." + task.name().toLowerCase(Locale.ROOT), weight, 0, 1));
        double sum = weights.values().stream().mapToDouble(weight -> weight).sum();
        if (Math.abs(sum - 1) > ROUNDING / HUNDRED) {
            throw ProfileFile.wrong("weights", "add up to " + Digits.plain(sum) + ", not to 1");
        }
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
        return tasksPerDay().getOrDefault(task, 0.0);
    }

    /** {@return how often tasks are done at times of their own, in a day; one that is missing is not done} */
    public Map<Task, Double> tasksPerDay() {
        return tasksPerDay(reading, writing);
    }

    private static Map<Task, Double> tasksPerDay(Reading reading, Writing writing) {
        double read = reading.laterPerDay() + reading.onReceiptPerDay();
        Map<Task, Double> perDay = new EnumMap<>(Task.class);
        perDay.put(Task.SEND, writing.sendPerDay);
        perDay.put(Task.REPLY, writing.replyPerDay);
        perDay.put(Task.REPLY_ALL, writing.replyAllPerDay);
        perDay.put(Task.FORWARD, writing.forwardPerDay);
        perDay.put(Task.READ, reading.laterPerDay());
        perDay.put(Task.BROWSE, reading.browsePerDay);
        perDay.put(Task.MOVE, read * reading.movePercent / HUNDRED);
        perDay.put(Task.DELETE, read * reading.deletePercent / HUNDRED);
        perDay.values().removeIf(count -> count == 0);
        return perDay;
    }

    /** {@return the weights of the score; mail that is read on receipt has its share of READ's} */
    public Map<Task, Double> scoreWeights() {
        Map<Task, Double> shares = weights == null ? Task.weights() : new EnumMap<>(weights);
        if (reading.onReceiptPerDay() > 0) {
            double whole = shares.getOrDefault(Task.READ, 0.0);
            double share =
                    reading.onReceiptPerDay() / (reading.laterPerDay() + reading.onReceiptPerDay());
            shares.put(Task.REACT, whole * share);
            shares.put(Task.READ, whole * (1 - share));
        }
        return shares;
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
