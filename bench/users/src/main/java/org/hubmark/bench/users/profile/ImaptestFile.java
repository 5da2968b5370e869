package org.hubmark.bench.users.profile;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the profile of a kind of user out of a file for Dovecot's imaptest ("profile=FILE"), as far as its
 * keys have a meaning here. What they do not say is medium's, or ours and marked so; keys of a user without
 * a meaning here are listed in {@code not_played}.
 */
final class ImaptestFile {
    private static final Pattern SECTION =
            Pattern.compile("(user|client)\\s+(\\S+)\\s*\\{(.*)", Pattern.DOTALL);
    private static final Pattern SETTING = Pattern.compile("(\\w+)\\s*=\\s*(.*)");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*([a-z]*)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})\\s*([kmg]?)i?b?");
    private static final Pattern PERCENTAGE = Pattern.compile("(\\d{1,3})\\s*%?");
    private static final double HUNDRED = 100;
    private static final double KB = 1000;
    private static final String OURS = "ours: imaptest does not say";
    private static final String REPLIES = "mail_inbox_reply_percentage";
    private static final String WRITE_SIZE = "mail_write_size";
    private static final String DELIVERIES = "mail_inbox_delivery_interval";
    private static final String SENDING = "mail_send_interval";

    private final String file;
    private final String user;
    private final Map<String, String> settings;
    private final Map<String, Object> profile = new LinkedHashMap<>();

    private ImaptestFile(String file, String user, Map<String, String> settings) {
        this.file = file;
        this.user = user;
        this.settings = new LinkedHashMap<>(settings);
    }

    /**
     * {@return the profile, in the form of our own files}
     *
     * @param file its name, for messages
     * @param user the section; null where there is one only
     * @param day over which its intervals are counted
     * @param medium what is taken where imaptest does not say
     */
    static Map<String, Object> read(
            String file,
            String text,
            @Nullable String user,
            Duration day,
            Map<String, Object> medium) {
        Map<String, Map<String, String>> users = users(file, text);
        if (users.isEmpty()) {
            throw UserError.usage("--profile imaptest:" + file + " has no section user NAME {...}");
        }
        String chosen = user;
        if (chosen == null && users.size() == 1) {
            chosen = users.keySet().iterator().next();
        }
        Map<String, String> settings = chosen == null ? null : users.get(chosen);
        if (chosen == null || settings == null) {
            throw UserError.usage("--profile imaptest:" + file + " has the users "
                    + String.join(", ", users.keySet()) + ": name one, as in imaptest:" + file + "#"
                    + users.keySet().iterator().next());
        }
        return new ImaptestFile(file, chosen, settings).translate(day, medium);
    }

    private static Map<String, Map<String, String>> users(String file, String text) {
        Map<String, Map<String, String>> users = new LinkedHashMap<>();
        Map<String, String> open = null;
        int number = 0;
        for (String whole : text.split("\n", -1)) {
            number++;
            String line = whole.replaceFirst("(^|\\s)#.*", "").strip();
            Matcher section = SECTION.matcher(line);
            if (section.matches()) {
                open = new LinkedHashMap<>();
                if (section.group(1).equals("user")) {
                    users.put(section.group(2), open);
                }
                line = section.group(3).strip();
            }
            boolean ends = line.endsWith("}");
            line = ends ? line.substring(0, line.length() - 1).strip() : line;
            Matcher setting = SETTING.matcher(line);
            if (setting.matches() && open != null) {
                open.put(setting.group(1), setting.group(2).strip());
            } else if (!line.isEmpty() && !setting.matches()) {
                throw UserError.usage("--profile imaptest:" + file + ", line " + number + ": '"
                        + line + "' is neither KEY = VALUE nor user NAME { nor client NAME {");
            }
            open = ends ? null : open;
        }
        return users;
    }

    private Map<String, Object> translate(Duration day, Map<String, Object> medium) {
        double fresh = perDay(DELIVERIES, day);
        profile.put("name", "imaptest-" + user);
        profile.put(
                "source",
                "the user " + user + " of a profile of imaptest, over a day of " + day.toMinutes()
                        + " minutes; values that it does not have are ours, or those of medium");
        Map<String, Object> reading = section("reading");
        put(reading, "new_msgs_per_day", fresh, DELIVERIES + ": all of it is read");
        put(reading, "existing_msgs_per_day", 0, OURS);
        ofMedium(reading, "browse_per_day", medium);
        put(
                reading,
                "move_percent",
                percentage("mail_inbox_move_percentage")
                        + percentage("mail_inbox_move_filter_percentage"),
                "mail_inbox_move_percentage and mail_inbox_move_filter_percentage");
        put(
                reading,
                "delete_percent",
                percentage("mail_inbox_delete_percentage"),
                "mail_inbox_delete_percentage");
        ofMedium(reading, "load_attachment_percent", medium);
        Map<String, Object> writing = section("writing");
        put(writing, "send_per_day", perDay(SENDING, day), SENDING);
        put(
                writing,
                "reply_per_day",
                fresh * percentage(REPLIES) / HUNDRED,
                REPLIES + ", of the messages delivered");
        put(writing, "reply_all_per_day", 0, OURS);
        put(writing, "forward_per_day", 0, OURS);
        put(writing, "random_recipients", 1, OURS);
        put(writing, "add_list_percent", 0, OURS);
        put(writing, "save_sent", true, SENDING);
        for (String section : List.of("lists", "mailbox")) {
            profile.put(section, Objects.requireNonNull(medium.get(section)));
        }
        messages(medium);
        section("not_played").putAll(settings);
        return profile;
    }

    private Map<String, Object> section(String name) {
        Map<String, Object> section = new LinkedHashMap<>();
        profile.put(name, section);
        return section;
    }

    private static void ofMedium(
            Map<String, Object> reading, String key, Map<String, Object> medium) {
        if (medium.get("reading") instanceof Map<?, ?> own) {
            reading.put(key, Objects.requireNonNull(own.get(key)));
        }
    }

    private void messages(Map<String, Object> medium) {
        String size = settings.remove(WRITE_SIZE);
        if (size == null) {
            profile.put("messages", Objects.requireNonNull(medium.get("messages")));
            return;
        }
        Matcher matcher = SIZE.matcher(size.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw wrong(WRITE_SIZE, size, "a size such as 10k");
        }
        double octets = Double.parseDouble(matcher.group(1))
                * switch (matcher.group(2)) {
                    case "k" -> 1 << 10;
                    case "m" -> 1 << 20;
                    case "g" -> 1 << 30;
                    default -> 1;
                };
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("name", "imaptest");
        message.put("body_kb", octets / KB);
        message.put("attachment_kb", 0);
        message.put("weight_percent", HUNDRED);
        message.put("source", WRITE_SIZE);
        profile.put("messages", List.of(message));
    }

    private static void put(Map<String, Object> to, String key, Object value, String source) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("value", value);
        row.put("source", source);
        to.put(key, row);
    }

    /** {@return how often; an interval that is missing or 0 means never} */
    private double perDay(String key, Duration day) {
        String value = settings.remove(key);
        if (value == null) {
            return 0;
        }
        Matcher matcher = TIME.matcher(value.toLowerCase(Locale.ROOT));
        Double unitMillis = matcher.matches() ? unitMillis(matcher.group(2)) : null;
        if (unitMillis == null) {
            throw wrong(key, value, "a time such as 10s or 5 min");
        }
        double millis = Double.parseDouble(matcher.group(1)) * unitMillis;
        return millis > 0 ? day.toMillis() / millis : 0;
    }

    private static @Nullable Double unitMillis(String unit) {
        return switch (unit) {
            case "ms", "msec", "msecs", "millisecs", "milliseconds" -> 1.0;
            case "", "s", "sec", "secs", "second", "seconds" -> 1e3;
            case "m", "min", "mins", "minute", "minutes" -> 60e3;
            case "h", "hour", "hours" -> 3600e3;
            case "d", "day", "days" -> 86_400e3;
            default -> null;
        };
    }

    private double percentage(String key) {
        String value = settings.remove(key);
        if (value == null) {
            return 0;
        }
        Matcher matcher = PERCENTAGE.matcher(value);
        double percent = matcher.matches() ? Double.parseDouble(matcher.group(1)) : -1;
        if (percent < 0 || percent > HUNDRED) {
            throw wrong(key, value, "a percentage such as 50");
        }
        return percent;
    }

    private UserError wrong(String key, String value, String allowed) {
        return UserError.usage("--profile imaptest:" + file + ", user " + user + ", " + key + ": '"
                + value + "' is not " + allowed);
    }
}
