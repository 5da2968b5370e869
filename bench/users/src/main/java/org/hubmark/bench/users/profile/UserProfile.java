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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What one user does in a day, as {@link ProfileFile} reads it: all of it has to be given unless it may be
 * null.
 *
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
     * @param onReceiptPercent of the messages received that are read at once, by {@link Task#REACT}
     */
    public record Reading(
            double newMsgsPerDay,
            double existingMsgsPerDay,
            double browsePerDay,
            double movePercent,
            double deletePercent,
            double loadAttachmentPercent,
            double onReceiptPercent) {
        /** Checks. */
        public Reading {
            ProfileFile.require("new_msgs_per_day", newMsgsPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("existing_msgs_per_day", existingMsgsPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("browse_per_day", browsePerDay, 0, PER_DAY_MAX);
            ProfileFile.require("move_percent", movePercent, 0, HUNDRED);
            ProfileFile.require("delete_percent", deletePercent, 0, HUNDRED - movePercent);
            ProfileFile.require("load_attachment_percent", loadAttachmentPercent, 0, HUNDRED);
            ProfileFile.require("on_receipt_percent", onReceiptPercent, 0, HUNDRED);
        }

        private double perDay() {
            return newMsgsPerDay + existingMsgsPerDay;
        }

        private double onReceiptPerDay() {
            return newMsgsPerDay * onReceiptPercent / HUNDRED;
        }

        /** {@return how many of the messages read by {@link Task#READ} were not read before, in percent} */
        public double newPercent() {
            double later = perDay() - onReceiptPerDay();
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
            ProfileFile.require("size", size);
            var unused = ByteSize.parse(size);
        }

        /** {@return the size} */
        public long bytes() {
            return ByteSize.parse(size);
        }
    }

    /** Checks. */
    public UserProfile {
        ProfileFile.require("name", name);
        ProfileFile.require("reading", reading);
        ProfileFile.require("writing", writing);
        ProfileFile.require("lists", lists);
        ProfileFile.require("mailbox", mailbox);
        ProfileFile.require("messages", messages);
        messages = List.copyOf(messages);
        double percent =
                messages.stream().mapToDouble(MessageTemplate::weightPercent).sum();
        if (Math.abs(percent - HUNDRED) > ROUNDING) {
            throw ProfileFile.wrong(
                    "messages",
                    "its weight_percent add up to " + Digits.plain(percent) + ", not to 100");
        }
        if (Arrays.stream(Task.values()).allMatch(task -> perDay(task, reading, writing) == 0)) {
            throw new IllegalArgumentException("its users do nothing");
        }
    }

    /**
     * {@return a profile that is built in, or one's own from a file whose name ends in .yaml}
     *
     * @throws UserError when there is none, or the file is wrong
     */
    public static UserProfile of(String nameOrFile) {
        boolean isBuiltIn = NAMES.contains(nameOrFile);
        if (!isBuiltIn && !nameOrFile.endsWith(FILE_END)) {
            throw UserError.usage("--profile " + nameOrFile + " is not one of "
                    + String.join(", ", NAMES) + ", and no file whose name ends in " + FILE_END);
        }
        try (InputStream in = isBuiltIn
                ? UserProfile.class.getResourceAsStream("/profiles/" + nameOrFile + FILE_END)
                : Files.newInputStream(Path.of(nameOrFile))) {
            return ProfileFile.read(nameOrFile, Objects.requireNonNull(in, nameOrFile));
        } catch (IOException e) {
            throw UserError.usage(
                    "--profile " + nameOrFile + " can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    /** {@return how often a task is done at times of its own in a day} */
    public double perDay(Task task) {
        return perDay(task, reading, writing);
    }

    private static double perDay(Task task, Reading reading, Writing writing) {
        return switch (task) {
            case SEND -> writing.sendPerDay;
            case REPLY -> writing.replyPerDay;
            case REPLY_ALL -> writing.replyAllPerDay;
            case FORWARD -> writing.forwardPerDay;
            case READ -> reading.perDay() - reading.onReceiptPerDay();
            case BROWSE -> reading.browsePerDay;
            case MOVE -> reading.perDay() * reading.movePercent / HUNDRED;
            case DELETE -> reading.perDay() * reading.deletePercent / HUNDRED;
            case LOGON, SAVE, REACT -> 0;
        };
    }

    /** {@return the weight of a task in the score; mail that is read on receipt has its share of READ's} */
    public double scoreWeight(Task task) {
        double react = reading.perDay() > 0
                ? Task.READ.weight() * reading.onReceiptPerDay() / reading.perDay()
                : 0;
        return task == Task.REACT
                ? react
                : task == Task.READ ? Task.READ.weight() - react : task.weight();
    }

    /**
     * {@return the load of a day that comes of it} A reply has one recipient, any other message the
     * random ones and now and then a list.
     *
     * @param meanListMembers of the lists as they are
     */
    public PerUserDay expected(double meanListMembers) {
        double several = writing.randomRecipients + writing.addListPercent / 100 * meanListMembers;
        double others = writing.sendPerDay + writing.replyAllPerDay + writing.forwardPerDay;
        double received = others * several + writing.replyPerDay;
        double sent = others + writing.replyPerDay;
        return new PerUserDay(
                sent,
                writing.sendPerDay,
                writing.replyPerDay,
                writing.replyAllPerDay,
                writing.forwardPerDay,
                received,
                sent > 0 ? (Double) (received / sent) : null);
    }

    /** {@return a kind of message, drawn by the weights} */
    public MessageTemplate draw(SplittableRandom random) {
        double drawn = random.nextDouble() * HUNDRED;
        for (MessageTemplate template : messages) {
            drawn -= template.weightPercent();
            if (drawn < 0) {
                return template;
            }
        }
        return messages.getFirst();
    }
}
