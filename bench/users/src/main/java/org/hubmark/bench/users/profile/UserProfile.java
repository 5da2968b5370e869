package org.hubmark.bench.users.profile;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.OptBoolean;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.users.result.PerUserDay;
import org.hubmark.core.ByteSize;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What one user does in a day, as {@link ProfileFile} reads it: all of it has to be given unless it may be
 * null, or is how often a task is done.
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

    /** A key of a task that ends so has a share of the messages read: all of them, these at most. */
    private static final String SHARE = "_percent";

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
     * @param loadAttachmentPercent of the attachments of messages read
     * @param onReceiptPercent of the messages received that are read at once, by the task REACT
     * @param tasks how often others are done, by their keys
     */
    public record Reading(
            double newMsgsPerDay,
            double existingMsgsPerDay,
            double loadAttachmentPercent,
            double onReceiptPercent,
            @JsonAnySetter Map<String, Double> tasks) {
        /** Checks. */
        public Reading {
            ProfileFile.require("new_msgs_per_day", newMsgsPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("existing_msgs_per_day", existingMsgsPerDay, 0, PER_DAY_MAX);
            ProfileFile.require("load_attachment_percent", loadAttachmentPercent, 0, HUNDRED);
            ProfileFile.require("on_receipt_percent", onReceiptPercent, 0, HUNDRED);
            requireTasks(tasks);
        }

        /** {@return how many are read in a day} */
        public double perDay() {
            return newMsgsPerDay + existingMsgsPerDay;
        }

        /** {@return how many of them are read at once} */
        public double onReceiptPerDay() {
            return newMsgsPerDay * onReceiptPercent / HUNDRED;
        }

        /** {@return how many of the messages read by the task READ were not read before, in percent} */
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
     * @param tasks how often they are done, by their keys
     */
    public record Writing(
            int randomRecipients,
            double addListPercent,
            boolean saveSent,
            @JsonAnySetter Map<String, Double> tasks) {
        /** Checks. */
        public Writing {
            ProfileFile.require("random_recipients", randomRecipients, 1, RECIPIENTS_MAX);
            ProfileFile.require("add_list_percent", addListPercent, 0, HUNDRED);
            requireTasks(tasks);
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
        requireTasks(all(reading, writing));
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

    /** {@return what the tasks have that have keys of their own} */
    public Map<String, Double> tasks() {
        return all(reading, writing);
    }

    private static Map<String, Double> all(Reading reading, Writing writing) {
        Map<String, Double> all = new HashMap<>(reading.tasks);
        writing.tasks.forEach((key, value) -> {
            if (all.put(key, value) != null) {
                throw ProfileFile.wrong(key, "is in reading and in writing");
            }
        });
        return all;
    }

    /** {@return how often in a day something is done that has a key of its own; 0 without the key} */
    public double perDay(@Nullable String key) {
        double value = tasks().getOrDefault(key, 0.0);
        return key != null && key.endsWith(SHARE) ? reading.perDay() * value / HUNDRED : value;
    }

    private static void requireTasks(Map<String, Double> tasks) {
        double left = HUNDRED;
        for (Map.Entry<String, Double> task : new TreeMap<>(tasks).entrySet()) {
            boolean isShare = task.getKey().endsWith(SHARE);
            ProfileFile.require(task.getKey(), task.getValue());
            ProfileFile.require(task.getKey(), task.getValue(), 0, isShare ? left : PER_DAY_MAX);
            left -= isShare ? task.getValue() : 0;
        }
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
