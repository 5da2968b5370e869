package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What was found with one number of users. */
final class LevelSections {
    /** Keys of the load of a day, and what they are called. */
    private static final List<List<String>> DAY = List.of(
            List.of("sent", "Sent"),
            List.of("sent_new", "Sent as new mail"),
            List.of("sent_reply", "Sent as a reply"),
            List.of("sent_reply_all", "Sent as a reply to all"),
            List.of("sent_forward", "Sent as a forward"),
            List.of("received", "Received"),
            List.of("recipients_mean", "Recipients of a message"));

    private static final double HUNDRED = 100;
    private static final double THOUSAND = 1000;

    private final JsonNode level;
    private final JsonNode all;

    private LevelSections(JsonNode level, JsonNode results) {
        this.level = level;
        this.all = results;
    }

    static List<Section> of(JsonNode level, JsonNode results) {
        LevelSections its = new LevelSections(level, results);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(
                2,
                Numbers.whole(level.path("users")) + " users: " + verdict(level),
                its.verdict()));
        sections.add(new Section(3, "Tasks", its.tasks()));
        sections.add(new Section(3, "Every message accounted for", List.of(its.accounting())));
        sections.add(new Section(3, "Load of a user and day", List.of(its.day())));
        if (level.path("repeats").size() > 1) {
            sections.add(new Section(3, "Runs", List.of(its.runs())));
        }
        sections.add(new Section(3, "What was spent", its.resources()));
        return sections;
    }

    private static String verdict(JsonNode level) {
        JsonNode passes = level.path("passes");
        return passes.isBoolean() ? passes.asBoolean() ? "passes" : "does not pass" : "not judged";
    }

    private List<Block> verdict() {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = new ArrayList<>(Cells.texts(level.path("reasons")));
        level.path("repeats")
                .forEach(run -> Cells.texts(run.path("notes"))
                        .forEach(note ->
                                lines.add("run " + run.path("run").asText() + ": " + note)));
        blocks.add(new Block.Text("Score " + Numbers.millis(level.path("score_ms"))
                + " ms, limit " + Numbers.plain(all.at("/limits/score_ms"))
                + "; 95th percentile of sending "
                + Numbers.millis(level.at("/send_latency_ms/p95")) + " ms, limit "
                + Numbers.plain(all.at("/limits/send_ms")) + "."));
        if (!lines.isEmpty()) {
            blocks.add(new Block.Lines(lines));
        }
        return blocks;
    }

    private List<Block> tasks() {
        List<List<String>> rows = new ArrayList<>();
        List<List<String>> failures = new ArrayList<>();
        for (JsonNode task : level.path("tasks")) {
            rows.add(List.of(
                    task.path("task").asText(),
                    Numbers.decimals(task.path("weight"), 2),
                    Numbers.whole(task.path("planned")),
                    Numbers.whole(task.path("done")),
                    Numbers.whole(task.path("failed")),
                    Numbers.whole(task.path("open")),
                    Numbers.whole(task.path("late")),
                    Numbers.millis(task.path("p50_ms")),
                    Numbers.millis(task.path("p95_ms")),
                    Numbers.millis(task.path("p99_ms")),
                    Numbers.millis(task.path("mean_ms")),
                    Numbers.millis(task.path("sd_ms")),
                    Numbers.millis(task.path("max_ms"))));
            task.path("failures")
                    .properties()
                    .forEach(one -> failures.add(List.of(
                            task.path("task").asText(),
                            one.getKey(),
                            Numbers.whole(one.getValue()))));
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Grid(
                "Latency in milliseconds, from the intended start; late: the user was still busy with"
                        + " an earlier task; open: begun or due, not done when the run was over",
                List.of(
                        "Task",
                        "Weight",
                        "Planned",
                        "Done",
                        "Failed",
                        "Open",
                        "Late",
                        "50th",
                        "95th",
                        "99th",
                        "Mean",
                        "Standard deviation",
                        "Maximum"),
                rows));
        if (!failures.isEmpty()) {
            blocks.add(new Block.Grid("Failures", List.of("Task", "Kind", "Number"), failures));
        }
        return blocks;
    }

    private Block accounting() {
        return new Block.Facts(List.of(
                count("Messages sent", "sent_msgs"),
                count("Sent, times the recipients of each", "expected_msgs"),
                count("Arrived", "arrived_msgs"),
                count("Missing", "missing_msgs"),
                count("Not counted: mailboxes that could not be looked into", "uncounted_msgs"),
                count("Copies beyond the first", "twice_msgs"),
                count("Broken off before the server answered", "uncertain_msgs")));
    }

    private Block.Fact count(String name, String key) {
        return new Block.Fact(name, Numbers.whole(level.path(key)));
    }

    private Block day() {
        List<List<String>> rows = new ArrayList<>();
        for (List<String> row : DAY) {
            JsonNode measured = level.path("per_user_day").path(row.getFirst());
            JsonNode error = level.path("per_user_day_error").path(row.getFirst());
            JsonNode expected = level.path("expected_per_user_day").path(row.getFirst());
            JsonNode published = all.path("published_per_user_day").path(row.getFirst());
            rows.add(List.of(
                    row.getLast(),
                    Numbers.decimals(measured, 2),
                    Numbers.decimals(error, 2),
                    Numbers.decimals(expected, 2),
                    errors(measured, expected, error),
                    Numbers.decimals(published, 2),
                    errors(measured, published, error)));
        }
        return new Block.Grid(
                "Off by so many standard errors: up to 2 either way is chance",
                List.of(
                        "A user and day",
                        "Measured",
                        "Standard error",
                        "By the profile and these users",
                        "Off the profile by",
                        "Published",
                        "Off the published by"),
                rows);
    }

    private static String errors(JsonNode measured, JsonNode other, JsonNode error) {
        if (!measured.isNumber() || !other.isNumber() || !(error.asDouble() > 0)) {
            return Cells.UNKNOWN;
        }
        return Numbers.decimals((measured.asDouble() - other.asDouble()) / error.asDouble(), 1);
    }

    private Block runs() {
        List<String> middle = Cells.texts(level.path("middle_runs"));
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode run : level.path("repeats")) {
            rows.add(List.of(
                    run.path("run").asText(),
                    middle.contains(run.path("run").asText()) ? "yes" : "no",
                    Numbers.yesOrNo(run.path("complete")),
                    Numbers.millis(run.path("score_ms")),
                    Numbers.millis(run.at("/send_latency_ms/mean")),
                    Numbers.millis(run.at("/send_latency_ms/p95")),
                    Numbers.millis(run.at("/arrival_latency_ms/p95")),
                    Numbers.whole(run.at("/accounting/missing_msgs"))));
        }
        return new Block.Grid(
                "The figures of the level are the means of the runs counted: of five or more, all but"
                        + " the best and the worst by their score; median of all scores "
                        + Numbers.millis(level.path("score_median_ms")) + " ms",
                List.of(
                        "Run",
                        "Counted",
                        "Whole",
                        "Score (ms)",
                        "Sending, mean (ms)",
                        "Sending, 95th (ms)",
                        "Arrival, 95th (ms)",
                        "Missing"),
                rows);
    }

    private List<Block> resources() {
        JsonNode spent = level.path("resources");
        if (!spent.isObject()) {
            return List.of(new Block.Text("Nothing is known of the server's machine."));
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Facts(List.of(
                new Block.Fact("Read from", Cells.of(spent.path("source"))),
                fact("CPU of the machine, less the driver's (%)", spent, "cpu_percent"),
                fact("CPU of the server's processes (%)", spent, "server_cpu_percent"),
                fact("Memory available (MB)", spent, "available_memory_mb"),
                fact("Pages read and written (1/s)", spent, "pages_per_s"),
                fact("Network, received (bytes/s)", spent, "network_received_bytes_per_s"),
                fact("Network, sent (bytes/s)", spent, "network_sent_bytes_per_s"),
                fact("CPU of the driver (%)", spent, "driver_cpu_percent"),
                fact("Memory of the driver (MB)", spent, "driver_memory_mb"),
                new Block.Fact(
                        "Cores of the driver for 1,000 users",
                        per1000(spent.path("driver_cpu_percent"), cores())),
                new Block.Fact(
                        "Memory of the driver for 1,000 users (MB)",
                        per1000(spent.path("driver_memory_mb"), 1.0)))));
        if (!spent.path("disks").isEmpty()) {
            blocks.add(disks(spent.path("disks")));
        }
        return blocks;
    }

    private static Block.Fact fact(String name, JsonNode spent, String key) {
        return new Block.Fact(name, Numbers.decimals(spent.path(key), 1));
    }

    private @Nullable Double cores() {
        JsonNode cores = all.at("/environment/logical_cores");
        return cores.isNumber() ? (Double) (cores.asDouble() / HUNDRED) : null;
    }

    private String per1000(JsonNode value, @Nullable Double factor) {
        if (!value.isNumber() || factor == null) {
            return Cells.UNKNOWN;
        }
        return Numbers.decimals(
                value.asDouble() * factor * THOUSAND / level.path("users").asDouble(), 2);
    }

    private static Block disks(JsonNode disks) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode disk : disks) {
            List<String> roles = Cells.texts(disk.path("roles"));
            rows.add(List.of(
                    disk.path("device").asText(),
                    roles.isEmpty() ? Cells.UNKNOWN : String.join(", ", roles),
                    Numbers.decimals(disk.path("queue_length"), 2),
                    Numbers.decimals(disk.path("reads_per_s"), 1),
                    Numbers.decimals(disk.path("writes_per_s"), 1),
                    Numbers.whole(disk.path("read_bytes_per_s")),
                    Numbers.whole(disk.path("written_bytes_per_s")),
                    Numbers.decimals(disk.path("busy_percent"), 1)));
        }
        return new Block.Grid(
                "What the kernel counted of each device, of all that used it",
                List.of(
                        "Device",
                        "Holds",
                        "Queue length",
                        "Reads/s",
                        "Writes/s",
                        "Bytes read/s",
                        "Bytes written/s",
                        "Busy (%)"),
                rows);
    }
}
