package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Under which conditions two results of users were found. */
final class Conditions {
    /** Settings that make it another load, or another judgement. */
    private static final List<String> LOAD =
            List.of("compress", "day", "new-mail", "poll", "mailbox-size");

    /** Settings that are said where they differ. */
    private static final List<String> OTHER = List.of(
            "seed",
            "runs",
            "duration",
            "warmup",
            "settle",
            "timeout",
            "smtp-tls",
            "imap-tls",
            "smtp-auth");

    private static final Pattern TIME = Pattern.compile("[0-9.]+(ms|s|m|h)");

    private final JsonNode a;
    private final JsonNode b;
    private final List<String> found = new ArrayList<>();

    private Conditions(JsonNode a, JsonNode b) {
        this.a = a;
        this.b = b;
    }

    /** {@return why they can't be compared; none when they can} */
    static List<String> obstacles(JsonNode a, JsonNode b) {
        Conditions both = new Conditions(a, b);
        both.profile();
        LOAD.forEach(name -> both.known(name, "/settings/" + name));
        both.known("limit of the score", "/limits/score_ms");
        both.known("limit of sending", "/limits/send_ms");
        return both.found;
    }

    /** {@return what else differs or must be known of them} */
    static List<String> remarks(JsonNode a, JsonNode b) {
        Conditions both = new Conditions(a, b);
        OTHER.forEach(name -> both.differs(name, "/settings/" + name));
        both.known("version", "/tool/version");
        both.known("commit", "/tool/commit");
        both.known("CPU of the driver's machine", "/environment/cpu_model");
        both.known("cores of the driver's machine", "/environment/logical_cores");
        both.known("CPU of the server's machine", "/server_environment/cpu_model");
        both.known("cores of the server's machine", "/server_environment/logical_cores");
        both.own("A", a);
        both.own("B", b);
        return both.found;
    }

    /** Of a profile the values count, not where they are from, and not what is played by nobody. */
    private void profile() {
        JsonNode from = a.path("profile");
        JsonNode to = b.path("profile");
        String name = text(from.path("name"));
        if (!name.equals(text(to.path("name")))) {
            found.add("profile differs: " + name + " and " + text(to.path("name")));
            return;
        }
        String where = firstDifference("", from, to);
        if (where != null) {
            found.add("profile differs: both are called " + name + ", and " + where);
        }
    }

    private static @Nullable String firstDifference(String path, JsonNode from, JsonNode to) {
        if (from.isContainerNode() && to.isContainerNode()) {
            Set<String> keys = new TreeSet<>();
            from.fieldNames().forEachRemaining(keys::add);
            to.fieldNames().forEachRemaining(keys::add);
            keys.removeAll(Set.of("source", "not_played"));
            for (String key : keys) {
                String where = firstDifference(path + key + " ", from.path(key), to.path(key));
                if (where != null) {
                    return where;
                }
            }
            for (int i = 0; i < Math.max(from.size(), to.size()) && from.isArray(); i++) {
                String where = firstDifference(path + (i + 1) + " ", from.path(i), to.path(i));
                if (where != null) {
                    return where;
                }
            }
            return null;
        }
        return isSame(from, to) ? null : path + "is " + text(from) + " and " + text(to);
    }

    private void known(String name, String pointer) {
        if (isKnown(a.at(pointer)) && isKnown(b.at(pointer))) {
            differs(name, pointer);
        }
    }

    private void differs(String name, String pointer) {
        JsonNode from = a.at(pointer);
        JsonNode to = b.at(pointer);
        if (!isSame(from, to)) {
            found.add(name + " differs: " + text(from) + " and " + text(to));
        }
    }

    private void own(String name, JsonNode results) {
        if (results.at("/target/embedded").asBoolean()) {
            found.add(name + " is the embedded mailbox server, which says nothing of a real one");
        }
        if (!results.path("complete").asBoolean()) {
            found.add(name + " was interrupted: levels are missing");
        }
        List<String> single = new ArrayList<>();
        int passed = results.path("users_passed").asInt();
        for (JsonNode level : results.path("levels")) {
            String users = Held.whole(level.path("users").asInt());
            if (LevelTrees.wholeRuns(level).size() < 2) {
                single.add(users);
            }
            if (level.path("passes").isBoolean()
                    && !level.path("passes").asBoolean()
                    && level.path("users").asInt() < passed) {
                found.add(name + " did not pass with " + users + " users, and did with more");
            }
        }
        if (!single.isEmpty()) {
            found.add(name + " played one run of "
                    + (single.size() == results.path("levels").size()
                            ? "each level"
                            : String.join("; ", single) + " users")
                    + ": its figures have no interval, and chance may make a difference");
        }
    }

    private static boolean isKnown(JsonNode value) {
        return !value.isMissingNode() && !value.isNull();
    }

    private static boolean isSame(JsonNode from, JsonNode to) {
        return (from.isNumber() && to.isNumber())
                ? from.asDouble() == to.asDouble()
                : text(from).equals(text(to));
    }

    private static String text(JsonNode value) {
        if (!isKnown(value)) {
            return "none";
        }
        if (value.isNumber()) {
            return value.decimalValue().stripTrailingZeros().toPlainString();
        }
        String text = value.asText();
        return TIME.matcher(text).matches() ? Durations.format(Durations.parse(text)) : text;
    }
}
