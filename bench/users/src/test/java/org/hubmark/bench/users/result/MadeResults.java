package org.hubmark.bench.users.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Results as a session would leave them, with figures that are known beforehand. */
public final class MadeResults {
    private static final long MILLI = 1_000_000;
    private static final ObjectMapper JSON = new ObjectMapper();

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
    public static PlayedRun run(int number, long readMillis) {
        return run(number, readMillis, 12);
    }

    /** {@return the same by a driver that took so much of its machine} */
    static PlayedRun run(int number, long readMillis, double driverCpuPercent) {
        Map<Task, TaskCounts> tasks = new EnumMap<>(Task.class);
        for (Task task : Task.values()) {
            long each = task == Task.READ ? readMillis : task == Task.SEND ? 20 : 10;
            tasks.put(task, new TaskCounts(4, 1, Map.of(), millis(each, each, each, each)));
        }
        return new PlayedRun(
                number,
                true,
                "2026-11-20T10:00:00Z",
                "2026-11-20T10:01:15Z",
                60,
                tasks,
                new Accounting(20, 90, 90, 0, 0, 0, 0),
                new DayCounts(10, 40, 38, 27, 37, 660, 664, 5400),
                millis(30, 40, 50),
                resources(driverCpuPercent),
                List.of());
    }

    /** {@return the same with a failure, a task that was not done, a message missing and one twice} */
    static PlayedRun failedRun() {
        PlayedRun whole = run(1, 50);
        Map<Task, TaskCounts> tasks = new EnumMap<>(whole.tasks());
        tasks.put(
                Task.REPLY, new TaskCounts(4, 2, Map.of("connection dropped", 1L), millis(10, 10)));
        return new PlayedRun(
                1,
                true,
                whole.startedAt(),
                whole.finishedAt(),
                60,
                tasks,
                new Accounting(20, 90, 89, 1, 0, 1, 1),
                whole.day(),
                whole.arrivalNanos(),
                null,
                List.of("logged on again 3 times"));
    }

    private static Resources resources(double driverCpuPercent) {
        return new Resources(
                "this machine",
                40.0,
                35.0,
                1500.0,
                0.5,
                null,
                null,
                driverCpuPercent,
                300.0,
                List.of(new Resources.Disk(
                        "vda", List.of("log"), 0.5, 1.0, 20.0, 4096.0, 80_000.0, 10.0)));
    }

    /** {@return a level of these runs, whose raw latencies are written too} */
    static Level level(Path folder, int users, PlayedRun... played) throws IOException {
        List<UserRun> runs = new ArrayList<>();
        for (PlayedRun one : played) {
            RawLatencies.write(folder, users, one);
            runs.add(UserRun.of(one, Task.weights()));
        }
        return Level.of(
                users,
                runs,
                new PerUserDay(14.19, 4.0, 3.76, 2.67, 3.76, 66.4, 4.68),
                new Limits(1000, 500));
    }

    /** {@return all of it} */
    static UsersResults of(List<Level> levels) {
        return UsersResults.of(
                new Tool("1.0", null),
                "2026-11-20T10:00:00Z",
                "2026-11-20T10:05:00Z",
                Machine.inspect(List.of()),
                "./hubmark users --users 50,100",
                new TreeMap<>(Map.of("day", "8h", "compress", 60.0)),
                profile(),
                new PerUserDay(14.18, 4.0, 3.76, 2.67, 3.76, 66.3, 4.68),
                new Target(
                        true,
                        "127.0.0.1:2525",
                        "127.0.0.1:1143",
                        false,
                        "220 <hub> ready",
                        "* OK ready",
                        List.of("IMAP4rev1"),
                        List.of("no MOVE: a message is copied, and deleted where it was"),
                        List.of("it keeps all mail in memory")),
                new Limits(1000, 500),
                true,
                levels);
    }

    /** {@return two levels, of five runs and of one, in a folder} */
    public static JsonNode write(Path folder) throws IOException {
        Level first = level(folder, 50, run(1, 50), run(2, 90), run(3, 60), run(4, 10), run(5, 70));
        return write(folder, List.of(first, level(folder, 100, run(1, 2000))));
    }

    /** {@return levels of so many users, with a run for each number of milliseconds that READ took} */
    public static JsonNode write(Path folder, Map<Integer, long[]> readMillis) throws IOException {
        List<Level> levels = new ArrayList<>();
        for (Map.Entry<Integer, long[]> one : new TreeMap<>(readMillis).entrySet()) {
            PlayedRun[] runs = new PlayedRun[one.getValue().length];
            Arrays.setAll(runs, i -> run(i + 1, one.getValue()[i]));
            levels.add(level(folder, one.getKey(), runs));
        }
        return write(folder, levels);
    }

    private static JsonNode write(Path folder, List<Level> levels) throws IOException {
        of(levels).write(folder);
        JsonNode read = UsersResults.read(folder);
        if (read == null) {
            throw new IOException("not written");
        }
        return read;
    }

    private static JsonNode profile() {
        try {
            return JSON.readTree("""
                    {"name": "medium", "reading": {"existing_msgs_per_day":
                      {"value": 15, "source": "Table 1"}},
                     "messages": [{"name": "ups1K.msg", "body_kb": 1, "source": "Table 1"}]}
                    """);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
