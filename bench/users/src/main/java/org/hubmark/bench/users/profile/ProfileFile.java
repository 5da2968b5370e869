package org.hubmark.bench.users.profile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import org.hubmark.bench.users.result.PerUserDay;
import org.hubmark.bench.users.result.Task;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads a profile from YAML. What is wrong is said with the key at which it is. Each value may stand
 * alone or as {@code {value: ..., source: ...}}, which says where it is from.
 */
final class ProfileFile {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** No user does more in a day: a task a second for eight hours. */
    private static final double PER_DAY_MAX = 28_800;

    private static final int RECIPIENTS_MAX = 1000;
    private static final int INBOX_MAX = 1_000_000;
    private static final long BYTES_MAX = 100_000_000;
    private static final double KB = 1000;
    private static final double HUNDRED = 100;
    /** Percentages are written with a few decimals. */
    private static final double ROUNDING = 0.01;

    private final String file;
    private final Map<String, Object> node;
    /** Where the node stands: empty for the top, else its key and a dot. */
    private final String path;

    private final Set<String> known = new HashSet<>();

    private ProfileFile(String file, Map<String, Object> node, String path) {
        this.file = file;
        this.node = node;
        this.path = path;
    }

    /**
     * {@return the profile of a text}
     *
     * @param file its name, for messages
     */
    static UserProfile parse(String file, String text) {
        Object tree;
        try {
            tree = YAML.readValue(text, Object.class);
        } catch (JacksonException e) {
            throw UserError.usage("--profile " + file + " is not YAML: " + e.getOriginalMessage());
        }
        Map<String, Object> keys = keys(tree);
        if (keys == null) {
            throw UserError.usage("--profile " + file + " holds no keys with values");
        }
        return new ProfileFile(file, keys, "").profile();
    }

    /** {@return a value that has keys; null for another one} */
    private static @Nullable Map<String, Object> keys(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return null;
        }
        Map<String, Object> keys = new LinkedHashMap<>();
        map.forEach((key, below) -> keys.put(String.valueOf(key), below));
        return keys;
    }

    private UserProfile profile() {
        String name = text("name");
        note("source");
        ReadingTasks reading = section("reading").reading();
        ProfileFile writing = section("writing");
        Map<Task, Double> perDay = new EnumMap<>(Task.class);
        put(perDay, Task.SEND, writing.number("send_per_day", 0, PER_DAY_MAX));
        put(perDay, Task.REPLY, writing.number("reply_per_day", 0, PER_DAY_MAX));
        put(perDay, Task.REPLY_ALL, writing.number("reply_all_per_day", 0, PER_DAY_MAX));
        put(perDay, Task.FORWARD, writing.number("forward_per_day", 0, PER_DAY_MAX));
        int recipients = writing.whole("random_recipients", 1, RECIPIENTS_MAX);
        double addList = writing.number("add_list_percent", 0, HUNDRED);
        boolean saves = writing.bool("save_sent");
        writing.requireNoMore();
        put(perDay, Task.READ, reading.perDay());
        put(perDay, Task.BROWSE, reading.browsePerDay());
        double allReads = reading.perDay() + reading.onReceiptPerDay();
        put(perDay, Task.MOVE, allReads * reading.movePercent() / HUNDRED);
        put(perDay, Task.DELETE, allReads * reading.deletePercent() / HUNDRED);
        if (perDay.isEmpty()) {
            throw wrong("", "its users do nothing");
        }
        ListRule lists = section("lists").lists();
        ProfileFile mailbox = section("mailbox");
        int inboxLimit = mailbox.whole("inbox_limit_msgs", 1, INBOX_MAX);
        long mailboxBytes = mailbox.size("size");
        mailbox.requireNoMore();
        List<MessageTemplate> messages = messages();
        Map<Task, Double> weights =
                node.containsKey("weights") ? section("weights").weights() : Task.weights();
        if (reading.onReceiptPerDay() > 0) {
            double ofReading = weights.getOrDefault(Task.READ, 0.0);
            double share = reading.onReceiptPerDay() / allReads;
            weights.put(Task.REACT, ofReading * share);
            weights.put(Task.READ, ofReading * (1 - share));
        }
        PerUserDay published =
                node.containsKey("published") ? section("published").published() : null;
        // What the source has beside all this is for readers alone.
        known.add("not_played");
        requireNoMore();
        return new UserProfile(
                name,
                perDay,
                reading.habit(),
                new UserProfile.Writing(recipients, addList, lists, saves),
                new UserProfile.MailboxRule(inboxLimit, mailboxBytes),
                messages,
                weights,
                published,
                node);
    }

    private record ReadingTasks(
            double perDay,
            double onReceiptPerDay,
            double browsePerDay,
            double movePercent,
            double deletePercent,
            UserProfile.Reading habit) {}

    private ReadingTasks reading() {
        double fresh = number("new_msgs_per_day", 0, PER_DAY_MAX);
        double existing = number("existing_msgs_per_day", 0, PER_DAY_MAX);
        double browse = number("browse_per_day", 0, PER_DAY_MAX);
        double move = number("move_percent", 0, HUNDRED);
        double delete = number("delete_percent", 0, HUNDRED);
        double load = number("load_attachment_percent", 0, HUNDRED);
        double onReceipt = node.containsKey("on_receipt_percent")
                ? number("on_receipt_percent", 0, HUNDRED)
                : 0;
        requireNoMore();
        if (move + delete > HUNDRED) {
            throw wrong("move_percent", "with delete_percent it is more than 100");
        }
        double atOnce = fresh * onReceipt / HUNDRED;
        double later = fresh - atOnce;
        double all = later + existing;
        double newPercent = all > 0 ? HUNDRED * later / all : 0;
        return new ReadingTasks(
                all,
                atOnce,
                browse,
                move,
                delete,
                new UserProfile.Reading(newPercent, load, onReceipt));
    }

    private static void put(Map<Task, Double> perDay, Task task, double count) {
        if (count > 0) {
            perDay.put(task, count);
        }
    }

    private ListRule lists() {
        int min = whole("min_members", 1, RECIPIENTS_MAX);
        double mean = number("mean_members", 1, RECIPIENTS_MAX);
        int max = whole("max_members", 1, RECIPIENTS_MAX);
        requireNoMore();
        if (min > mean || mean > max) {
            throw wrong("mean_members", "is not between min_members and max_members");
        }
        return new ListRule(min, mean, max);
    }

    private List<MessageTemplate> messages() {
        known.add("messages");
        if (!(value("messages") instanceof List<?> all) || all.isEmpty()) {
            throw wrong("messages", "is not a list of messages");
        }
        List<MessageTemplate> messages = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < all.size(); i++) {
            String where = path + "messages[" + (i + 1) + "].";
            Map<String, Object> keys = keys(all.get(i));
            if (keys == null) {
                throw new ProfileFile(file, Map.of(), where).wrong("", "is not a message");
            }
            MessageTemplate message = new ProfileFile(file, keys, where).message();
            messages.add(message);
            sum += message.weightPercent();
        }
        if (Math.abs(sum - HUNDRED) > ROUNDING) {
            throw wrong(
                    "messages", "its weight_percent add up to " + trimmed(sum) + ", not to 100");
        }
        return messages;
    }

    private MessageTemplate message() {
        MessageTemplate message = new MessageTemplate(
                text("name"),
                (int) Math.round(KB * number("body_kb", 0.1, BYTES_MAX / KB)),
                (int) Math.round(KB * number("attachment_kb", 0, BYTES_MAX / KB)),
                number("weight_percent", 0, HUNDRED));
        note("source");
        requireNoMore();
        return message;
    }

    private Map<Task, Double> weights() {
        Map<Task, Double> weights = new EnumMap<>(Task.class);
        double sum = 0;
        for (Task task : Task.values()) {
            if (task.weight() > 0) {
                double weight = number(task.name().toLowerCase(Locale.ROOT), 0, 1);
                weights.put(task, weight);
                sum += weight;
            }
        }
        requireNoMore();
        if (Math.abs(sum - 1) > ROUNDING / HUNDRED) {
            throw wrong("", "add up to " + trimmed(sum) + ", not to 1");
        }
        return weights;
    }

    private PerUserDay published() {
        PerUserDay published = new PerUserDay(
                optional("sent"),
                optional("sent_new"),
                optional("sent_reply"),
                optional("sent_reply_all"),
                optional("sent_forward"),
                optional("received"),
                optional("recipients_mean"));
        note("source");
        requireNoMore();
        return published;
    }

    private ProfileFile section(String key) {
        known.add(key);
        if (!node.containsKey(key)) {
            throw UserError.usage("--profile " + file + " lacks " + path + key);
        }
        Map<String, Object> section = keys(node.get(key));
        if (section == null) {
            throw wrong(key, "holds no keys with values");
        }
        return new ProfileFile(file, section, path + key + ".");
    }

    private Object value(String key) {
        known.add(key);
        Object found = node.get(key);
        Map<String, Object> keys = keys(found);
        if (keys != null) {
            for (String inner : keys.keySet()) {
                if (!inner.equals("value") && !inner.equals("source")) {
                    throw wrong(key + "." + inner, "is not known: value, and source if you like");
                }
            }
            found = keys.get("value");
        }
        if (found == null) {
            throw UserError.usage("--profile " + file + " lacks " + path + key);
        }
        return found;
    }

    private String text(String key) {
        if (!(value(key) instanceof String text) || text.isBlank()) {
            throw wrong(key, "is not a text");
        }
        return text;
    }

    /** What is for readers alone. */
    private void note(String key) {
        if (node.containsKey(key)) {
            var unused = text(key);
        }
    }

    private boolean bool(String key) {
        if (!(value(key) instanceof Boolean yes)) {
            throw wrong(key, "is neither true nor false");
        }
        return yes;
    }

    private double number(String key, double min, double max) {
        Object found = value(key);
        double number = found instanceof Number one ? one.doubleValue() : Double.NaN;
        if (!(number >= min && number <= max)) {
            throw wrong(
                    key, found + " is not a number from " + trimmed(min) + " to " + trimmed(max));
        }
        return number;
    }

    private @Nullable Double optional(String key) {
        known.add(key);
        return node.containsKey(key) ? (Double) number(key, 0, Double.MAX_VALUE) : null;
    }

    private int whole(String key, int min, int max) {
        double number = number(key, min, max);
        if (number != Math.rint(number)) {
            throw wrong(key, trimmed(number) + " is not a whole number");
        }
        return (int) number;
    }

    private long size(String key) {
        String text = value(key).toString();
        try {
            return text.equals("0") ? 0 : ByteSize.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong(key, "'" + text + "' is not a size such as 100MB");
        }
    }

    private void requireNoMore() {
        for (String key : node.keySet()) {
            if (!known.contains(key)) {
                throw wrong(key, "is not known");
            }
        }
    }

    private UserError wrong(String key, String what) {
        String at = key.isEmpty() ? path.replaceFirst("\\.$", "") : path + key;
        return UserError.usage("--profile " + file + (at.isEmpty() ? "" : ", " + at) + ": " + what);
    }

    private static String trimmed(double number) {
        return number == Math.rint(number) && Math.abs(number) < Long.MAX_VALUE
                ? Long.toString((long) number)
                : Double.toString(Math.round(number * 1e4) / 1e4);
    }
}
