package org.hubmark.bench.users.result;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.users.Task;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Results as a study would leave them, with figures that are known beforehand. */
public final class MadeResults {
    private static final long MILLI = 1_000_000;
    private static final long MINUTE = 60_000_000_000L;
    private static final int CORES = 2;
    private static final long MIB = 1024 * 1024;

    /** Of each task: enough for a 95th percentile, and too few for a 99th. */
    private static final int DONE = 20;

    /** LoadSim's, whatever else there is; profiles without reactions and copies have none of those. */
    private static final String TASKS =
            "SEND REPLY REPLY_ALL FORWARD READ BROWSE DELETE MOVE LOGON";

    private MadeResults() {}

    /** {@return a histogram of so many milliseconds each} */
    static Histogram millis(long... values) {
        Histogram nanos = new Histogram(3);
        for (long value : values) {
            nanos.recordValue(value * MILLI);
        }
        return nanos;
    }

    /** {@return a run in which READ took so long, SEND 20 ms, and all else 10 ms} */
    public static Repeat run(int number, long readMillis) {
        return counted(number, readMillis, 12).made();
    }

    /** {@return the same by a driver that took so much of its machine} */
    static Repeat.Builder counted(int number, long readMillis, int driverCpuPercent) {
        List<Repeat> tasks = new ArrayList<>();
        Histogram sending = new Histogram(3);
        for (String name : TASKS.split(" ", -1)) {
            Task task = Task.valueOf(name);
            long each = task == Task.READ ? readMillis : task == Task.SEND ? 20 : 10;
            Histogram nanos = new Histogram(3);
            nanos.recordValueWithCount(each * MILLI, DONE);
            tasks.add(task(task, DONE, Map.of(), nanos));
            if (Task.SENDING.contains(task)) {
                sending.add(nanos);
            }
        }
        return Repeat.counted()
                .name(LevelForm.RUN, number)
                .name(LevelForm.NOTES, List.of())
                .name(MachineMeter.OTHERS, List.of())
                .count(LevelForm.MEASURED_NS, MINUTE)
                .count(LevelForm.SENT, 20)
                .count(LevelForm.EXPECTED_MSGS, 90)
                .count(LevelForm.ARRIVED, 90)
                .count(LevelForm.MISSING, 0)
                .count(LevelForm.UNCOUNTED, 0)
                .count(LevelForm.TWICE, 0)
                .count(LevelForm.UNCERTAIN, 0)
                .count(LevelForm.USER_DAYS, 10)
                .count(LevelForm.SENT_NEW, 40)
                .count(LevelForm.SENT_REPLY, 38)
                .count(LevelForm.SENT_REPLY_ALL, 27)
                .count(LevelForm.SENT_FORWARD, 37)
                .count(LevelForm.RECEIVED, 660)
                .count(LevelForm.RECIPIENTS, 664)
                .count(MachineMeter.METERED_NS, MINUTE)
                .count(MachineMeter.CORES_NS, percent(100))
                .count(MachineMeter.BUSY_TICKS, ticks(40 + driverCpuPercent))
                .count(MachineMeter.TOTAL_TICKS, ticks(100))
                .count(MachineMeter.STEAL_TICKS, 0)
                .count(MachineMeter.PROCESSES_NS, percent(36 + driverCpuPercent))
                .count(MachineMeter.SERVERS_NS, percent(35))
                .count(MachineMeter.TOOL_NS, percent(driverCpuPercent))
                .count(ResourceForm.DRIVER_CPU_NS, percent(driverCpuPercent))
                .count(ResourceForm.DRIVER_TICKS, ticks(100))
                .count(ResourceForm.AVAILABLE_BYTES, 1500 * MIB)
                .count(ResourceForm.PAGES, 30)
                .times(LevelForm.SEND_NS, sending)
                .times(LevelForm.ARRIVAL_NS, millis(30, 40, 50))
                .parts(LevelForm.TASKS, tasks)
                .parts(
                        ResourceForm.DISKS,
                        List.of(Repeat.counted()
                                .name(ResourceForm.HOLDS, "log")
                                .name(ResourceForm.DEVICE, "vda")
                                .count(MachineMeter.METERED_NS, MINUTE)
                                .count(ResourceForm.WEIGHTED_MS, 30_000)
                                .count(ResourceForm.READS, 60)
                                .count(ResourceForm.WRITES, 1200)
                                .count(ResourceForm.BUSY_MS, 6_000)
                                .made()));
    }

    /** {@return so much of all cores in a minute} */
    static long percent(long percent) {
        return CORES * MINUTE / 100 * percent;
    }

    private static long ticks(long percent) {
        return percent(percent) / ProcessCpu.TICK_NANOS;
    }

    static Repeat task(Task task, int planned, Map<String, Integer> failures, Histogram nanos) {
        Repeat.Builder counted = Repeat.counted()
                .name(LevelForm.TASK, task.name())
                .name(LevelForm.WEIGHT, task.weight())
                .count(LevelForm.PLANNED, planned)
                .count(
                        LevelForm.FAILED,
                        failures.values().stream().mapToInt(i -> i).sum())
                .times(LevelForm.TASK_NS, nanos);
        failures.forEach((kind, count) -> {
            var unused = counted.count(LevelForm.failedBy(kind), count);
        });
        return counted.made();
    }

    /** {@return the tasks of a run, one of them in the place of that of its name} */
    static List<Repeat> tasksWith(Repeat run, Repeat other) {
        return run.parts().getOrDefault(LevelForm.TASKS.key(), List.of()).stream()
                .map(task ->
                        task.name(LevelForm.TASK).equals(other.name(LevelForm.TASK)) ? other : task)
                .toList();
    }

    /** {@return a run with a failure, a task that was not done, a message missing and one twice} */
    static Repeat failedRun() {
        List<Repeat> tasks = tasksWith(
                run(1, 50), task(Task.REPLY, 4, Map.of("connection dropped", 1), millis(10, 10)));
        return counted(1, 50, 12)
                .name(LevelForm.NOTES, List.of("logged on again 3 times"))
                .count(LevelForm.ARRIVED, 89)
                .count(LevelForm.MISSING, 1)
                .count(LevelForm.TWICE, 1)
                .count(LevelForm.UNCERTAIN, 1)
                .parts(LevelForm.TASKS, tasks)
                .made();
    }

    /** {@return all runs with so many users} */
    static Row level(int users, Repeat... runs) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        names.put(LevelForm.USERS.key(), users);
        names.put(
                LevelForm.EXPECTED.key(), new PerUserDay(14.19, 4.0, 3.76, 2.67, 3.76, 66.4, 4.68));
        names.put(ResourceForm.SOURCE.key(), "this machine");
        return new Row(names, List.of(runs));
    }

    /** {@return levels of so many users, with a run for each number of milliseconds that READ took} */
    public static Document of(Map<Integer, long[]> readMillis) {
        List<Row> levels = new ArrayList<>();
        new TreeMap<>(readMillis).forEach((users, millis) -> {
            Repeat[] runs = new Repeat[millis.length];
            Arrays.setAll(runs, i -> run(i + 1, millis[i]));
            levels.add(level(users, runs));
        });
        return of(levels.toArray(Row[]::new));
    }

    /** {@return the same; with so many users a mailbox of each run could not be looked into} */
    public static Document uncounted(Map<Integer, long[]> readMillis, int faulty) {
        List<Row> levels = new ArrayList<>();
        new TreeMap<>(readMillis).forEach((users, millis) -> {
            Repeat[] runs = new Repeat[millis.length];
            Arrays.setAll(
                    runs,
                    i -> counted(i + 1, millis[i], 12)
                            .count(LevelForm.UNCOUNTED, users == faulty ? 1 : 0)
                            .made());
            levels.add(level(users, runs));
        });
        return of(levels.toArray(Row[]::new));
    }

    /** {@return two levels, of five runs and of one} */
    public static Document two() {
        return of(Map.of(50, new long[] {50, 90, 60, 10, 70}, 100, new long[] {2000}));
    }

    static Document of(Row... levels) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(UsersResult.PROFILE.key(), profile());
        facts.put(
                UsersResult.PUBLISHED.key(),
                new PerUserDay(14.18, 4.0, 3.76, 2.67, 3.76, 66.3, 4.68));
        facts.put(
                UsersResult.TARGET.key(),
                new MailSystem(
                        true,
                        "127.0.0.1:2525",
                        "127.0.0.1:1143",
                        false,
                        "220 <hub> ready",
                        "* OK ready",
                        List.of("IMAP4rev1"),
                        true));
        facts.put(UsersResult.LIMITS.key(), new LevelLimits(1000, 500));
        facts.put(UsersResult.PACE.key(), new UsersResult.Pace("medium", "8h", 60, false));
        facts.put(MachineSections.SERVER.key(), null);
        facts.put(MachineSections.WATCH.key(), null);
        Map<String, @Nullable Object> settings = new TreeMap<>();
        settings.put("day", "8h");
        settings.put("compress", 60.0);
        return new Document(
                UsersResult.KIND,
                new Provenance(
                        new Tool("1.0", null),
                        "2026-11-20T10:00:00Z",
                        "2026-11-20T10:05:00Z",
                        "./hubmark users --users 50,100",
                        settings,
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(),
                                null)),
                true,
                facts,
                List.of(new Table(LevelForm.LEVELS, List.of(levels))),
                List.of());
    }

    /** {@return the same, otherwise in one fact} */
    public static Document with(Document document, Name name, @Nullable Object value) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>(document.facts());
        facts.put(name.key(), value);
        return new Document(
                document.kind(),
                document.provenance(),
                document.complete(),
                facts,
                document.tables(),
                document.rawFiles());
    }

    /** {@return the same, measured an hour later} */
    static Document later(Document document) {
        Provenance from = document.provenance();
        return new Document(
                document.kind(),
                new Provenance(
                        from.tool(),
                        from.startedAt().replace("T10", "T11"),
                        from.finishedAt().replace("T10", "T11"),
                        from.command(),
                        from.settings(),
                        from.environment()),
                document.complete(),
                document.facts(),
                document.tables(),
                document.rawFiles());
    }

    /** {@return the same with other settings, and interrupted or not} */
    public static Document with(Document document, Map<String, Object> settings, boolean complete) {
        Provenance from = document.provenance();
        Map<String, @Nullable Object> all = new TreeMap<>(from.settings());
        all.putAll(settings);
        return new Document(
                document.kind(),
                new Provenance(
                        from.tool(),
                        from.startedAt(),
                        from.finishedAt(),
                        from.command(),
                        all,
                        from.environment()),
                complete,
                document.facts(),
                document.tables(),
                document.rawFiles());
    }

    /** {@return a profile with two rows} */
    public static Map<String, Object> profile() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("value", 15);
        row.put("source", "Table 1");
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("name", "ups1K.msg");
        message.put("body_kb", 1);
        message.put("source", "Table 1");
        Map<String, Object> profile = new LinkedHashMap<>();
        profile.put("name", "medium");
        profile.put("reading", new LinkedHashMap<>(Map.of("existing_msgs_per_day", row)));
        profile.put("messages", List.of(message));
        return profile;
    }
}
