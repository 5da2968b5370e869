package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves that writes are counted as they happen, with three witnesses that know nothing of each
 * other: the hub's counters, strace of the hub, and the counters of a loop device on which nothing
 * but the log lies. Takes root, loop devices and strace; is skipped with the reason where there are
 * none.
 */
class WritesCountedTest {
    private static final Path STRACE = Path.of("/usr/bin/strace");
    private static final int MESSAGES = 400;

    /** A call on a segment of the log, ended or not yet; not on the file by which a start tries direct writes. */
    private static final Pattern CALL = Pattern.compile(
            "^(\\d+) +(\\w+)\\(\\d+</.*/log/segments/(segment-[^>]+)>.*?(?:= (\\d+))?$");

    private static final Pattern EXTENTS = Pattern.compile(": (\\d+) extents? found");

    private static final Pattern RESUMED =
            Pattern.compile("^(\\d+) +<\\.\\.\\. (\\w+) resumed>.*= (\\d+)$");

    @TempDir
    private Path folder;

    /** What the log wrote, by one witness. */
    private record Written(long writes, long syncs, long bytes) {
        Written since(Written before) {
            return new Written(writes - before.writes, syncs - before.syncs, bytes - before.bytes);
        }
    }

    @Test
    @Tag("long")
    void theHubTheSystemCallsAndTheDeviceAgree() throws Exception {
        assumeTrue(Files.isExecutable(STRACE), "no strace");
        // The journal is committed on its own every 5 s, for times of files too: here it is not.
        try (LoopVolume volume = LoopVolume.make(new RunFolder(folder), "noatime,commit=300")) {
            count(volume);
        }
    }

    private void count(LoopVolume volume) throws Exception {
        Path cache = Path.of("/sys/class/block", volume.device(), "queue/write_cache");
        Path calls = folder.resolve("strace.txt");
        String strace = STRACE + " -D -f -y -e"
                + " trace=write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync -o " + calls;
        Written hub;
        try (CommandProcess server = CommandProcess.startUnder(
                List.of(strace.split(" ", -1)),
                folder,
                "serve",
                "--listen=127.0.0.1:0",
                "--metrics=127.0.0.1:0",
                "--deliver=hold",
                "--log-volume=log",
                "--queue-volume=queue",
                "--tracking-volume=tracking")) {
            HubClient client = new HubClient(server.metrics());
            int port = server.listening().getPort();
            sync(volume);
            Files.writeString(cache, "write through");
            Grown off = load(client, port, volume);
            // One connection: a group each message, small enough for one request of the device.
            assertThat(off.hub().writes()).isEqualTo(MESSAGES);
            assertThat(off.hub().syncs()).isEqualTo(MESSAGES);
            // A write that goes from one extent of its file to the next is a request for each.
            long split = extentEnds();
            assertThat(off.deviceWrites()).isBetween((long) MESSAGES, MESSAGES + split);
            assertThat(off.deviceBytes()).isEqualTo(off.hub().bytes());
            Files.writeString(cache, "write back");
            Grown on = load(client, port, volume);
            assertThat(on.hub()).isEqualTo(off.hub());
            // The kernel counts the flush at the end of each sync as a write without content.
            assertThat(on.deviceWrites()).isBetween(2L * MESSAGES, 2 * MESSAGES + split);
            assertThat(on.deviceBytes()).isEqualTo(on.hub().bytes());
            hub = hub(client);
            server.kill();
        }
        RunFolder.await().until(() -> Files.readString(calls).contains("+++ killed by SIGKILL"));
        // From the hub's first call to its last.
        assertThat(straced(Files.readAllLines(calls))).isEqualTo(hub);
    }

    /** What a load made grow: by the hub, and by the device, which its two accounts agree on. */
    private record Grown(Written hub, long deviceWrites, long deviceBytes) {}

    private static Grown load(HubClient client, int port, LoopVolume volume) throws Exception {
        Written hubBefore = hub(client);
        DiskCounters before = counters(volume);
        LoopVolume.Stat statBefore = volume.stat();
        Folders.delete(volume.runs().file(""));
        volume.runs()
                .measure(
                        "load",
                        "--target=127.0.0.1:" + port,
                        "--rate=max",
                        "--count=" + MESSAGES,
                        "--connections=1",
                        "--quiet");
        DiskCounters grown = Objects.requireNonNull(counters(volume).growth(before));
        LoopVolume.Stat stat = volume.stat();
        long writes = Objects.requireNonNull(grown.get(DiskCounter.WRITES));
        long bytes = Objects.requireNonNull(grown.get(DiskCounter.WRITTEN_BYTES));
        assertThat(stat.writes() - statBefore.writes()).isEqualTo(writes);
        assertThat(stat.writtenBytes() - statBefore.writtenBytes()).isEqualTo(bytes);
        return new Grown(hub(client).since(hubBefore), writes, bytes);
    }

    /** The device has all of the volume, and nothing waits in its journal. */
    private static void sync(LoopVolume volume) throws Exception {
        SystemTool.run(List.of("sync", "-f", volume.folder().toString()));
        RunFolder.await().until(() -> volume.stat().inFlight() == 0);
    }

    /** How many places in the log's files are the end of an extent after which another one follows. */
    private long extentEnds() throws Exception {
        long ends = 0;
        try (Stream<Path> segments = Files.list(folder.resolve("log/segments"))) {
            for (Path segment : segments.toList()) {
                String said = SystemTool.run(List.of("filefrag", segment.toString()));
                Matcher extents = EXTENTS.matcher(said);
                assertThat(extents.find()).as(said).isTrue();
                ends += Math.max(0, Long.parseLong(extents.group(1)) - 1);
            }
        }
        return ends;
    }

    private static Written hub(HubClient client) throws Exception {
        HubCounters metrics = client.metrics();
        return new Written(
                count(metrics, "hubmark_log_writes_total"),
                count(metrics, "hubmark_log_syncs_total"),
                count(metrics, "hubmark_log_written_bytes_total"));
    }

    private static long count(HubCounters metrics, String name) {
        return Math.round(Objects.requireNonNull(metrics.get(name)));
    }

    /** Syncs of a file that is being made ready are no syncs of the log; its writes are writes. */
    private static Written straced(List<String> lines) {
        Map<String, String> pending = new HashMap<>();
        long writes = 0;
        long syncs = 0;
        long bytes = 0;
        for (String line : lines) {
            Matcher call = CALL.matcher(line);
            Matcher resumed = RESUMED.matcher(line);
            if (call.matches()) {
                boolean sync = call.group(2).endsWith("sync");
                if (!sync) {
                    writes++;
                } else if (!call.group(3).endsWith(".new")) {
                    syncs++;
                }
                if (call.group(4) == null) {
                    pending.put(call.group(1), call.group(2));
                } else if (!sync) {
                    bytes += Long.parseLong(call.group(4));
                }
            } else if (resumed.matches()
                    && resumed.group(2).equals(pending.remove(resumed.group(1)))
                    && !resumed.group(2).endsWith("sync")) {
                bytes += Long.parseLong(resumed.group(3));
            }
        }
        return new Written(writes, syncs, bytes);
    }

    private static DiskCounters counters(LoopVolume volume) {
        return Objects.requireNonNull(
                DiskCounters.parse(HostFiles.HERE.text("proc/diskstats"), volume.device()));
    }
}
