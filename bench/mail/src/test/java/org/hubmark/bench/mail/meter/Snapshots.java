package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.BusyCycles;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.mail.TestCase;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Snapshots as words: by default the begin and the end of 10 s, with 1,000 messages of 57,000 bytes, on two cores of
 * 2,000 MHz. windows.txt says what the words mean.
 */
final class Snapshots {
    private static final Map<String, String> FROM = TestCase.words(List.of(
            "s=0 accepted=0 server=0 driver=0 ticks=0,0 cores=0,0 steal=0 processes=0 hub=0,0,0"));
    private static final Map<String, String> TO = TestCase.words(List.of(
            "s=10 accepted=1000 server=10000 driver=3000 ticks=1500,2000 cores=0,0 steal=0 processes=0"
                    + " hub=1000,900,98"));
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    private final Map<String, String> words = new HashMap<>();

    private Snapshots(Map<String, String> usual, String... others) {
        words.putAll(usual);
        words.putAll(TestCase.words(List.of(others)));
    }

    /** {@return the begin, with these words} */
    static Snapshot from(String... words) {
        return new Snapshots(FROM, words).snapshot();
    }

    /** {@return the end, with these words} */
    static Snapshot to(String... words) {
        return new Snapshots(TO, words).snapshot();
    }

    private Snapshot snapshot() {
        long accepted = number("accepted");
        long driverNanos = number("driver") * MILLI;
        Map<VolumeRole, DiskCounters> disks = new EnumMap<>(VolumeRole.class);
        for (VolumeRole role : VolumeRole.values()) {
            if (words.containsKey(role.key())) {
                disks.put(role, disk(numbers(role.key())));
            }
        }
        Map<VolumeRole, SyncEmulation.Counters> syncs = new EnumMap<>(VolumeRole.class);
        if (words.containsKey("syncs")) {
            long[] counts = numbers("syncs");
            syncs.put(
                    VolumeRole.LOG, new SyncEmulation.Counters(counts[0], counts[1] * MILLI, 0, 0));
        }
        return new Snapshot(
                number("s") * SECOND,
                new LoadSnapshot(
                        accepted,
                        accepted,
                        accepted * 57_000,
                        0,
                        0,
                        0,
                        number("overdue"),
                        driverNanos,
                        null),
                driverNanos,
                words.containsKey("machine") ? MachineReading.UNKNOWN : reading(),
                words.containsKey("elsewhere"),
                disks,
                syncs,
                isUnknown("hub") ? null : hub(numbers("hub")));
    }

    private MachineReading reading() {
        Map<MachineCounter, Long> counters = new EnumMap<>(MachineCounter.class);
        if (!isUnknown("server")) {
            counters.put(MachineCounter.SERVER_NS, number("server") * MILLI);
        }
        if (!isUnknown("processes")) {
            counters.put(MachineCounter.PROCESSES_NS, number("processes") * MILLI);
        }
        if (words.containsKey("group")) {
            counters.put(MachineCounter.GROUP_NS, numbers("group")[0] * MILLI);
            counters.put(MachineCounter.THROTTLED_NS, numbers("group")[1] * MILLI);
        }
        Map<String, Long> threads = new HashMap<>();
        if (words.containsKey("thread")) {
            threads.put("committer/7", number("thread") * MILLI);
            threads.put("smtp-1/8", 0L);
        }
        long[] ticks = numbers("ticks");
        long[] cores = numbers("cores");
        return new MachineReading(
                number(words.containsKey("elsewhere") ? "elsewhere" : "s") * SECOND,
                new MachineCpu(
                        ticks[0], ticks[1], number("steal"), Map.of(0, cores[0], 1, cores[1])),
                8,
                counters,
                threads,
                new BusyCycles(ticks[0] * 20.0, ticks[0]),
                Map.of());
    }

    /** {@return what a device did, in the order of the kernel's line} */
    private static DiskCounters disk(long[] counts) {
        Map<DiskCounter, Long> values = new EnumMap<>(DiskCounter.class);
        Iterator<DiskCounter> counters = Arrays.asList(DiskCounter.values()).iterator();
        for (long count : counts) {
            values.put(counters.next(), count);
        }
        return new DiskCounters(values);
    }

    private static HubCounters hub(long[] messages) {
        return HubCounters.parse(String.join(
                "\n",
                "hubmark_messages_accepted_total " + messages[0],
                "hubmark_messages_delivered_total " + messages[1],
                "hubmark_queue_messages " + messages[2],
                "hubmark_message_groups_total " + messages[0] / 4,
                "hubmark_log_writes_total " + messages[0] / 4,
                "hubmark_log_syncs_total " + messages[0] / 2,
                "hubmark_log_write_seconds_total " + messages[0] / 200.0));
    }

    private boolean isUnknown(String key) {
        return "-".equals(words.get(key));
    }

    private long number(String key) {
        return Long.parseLong(words.getOrDefault(key, "0"));
    }

    private long[] numbers(String key) {
        String text = words.getOrDefault(key, "");
        return Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }
}
