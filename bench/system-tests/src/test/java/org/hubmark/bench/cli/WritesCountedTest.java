package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.hub.HubClient;
import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

    @AfterEach
    void removeTheVolume() throws Exception {
        if (Files.exists(folder.resolve("hubmark-volumes/volumes.json"))) {
            // With the mail that a killed hub holds there.
            good("volumes", "destroy", "--force");
        }
    }

    /** What the log wrote, by one witness. */
    private record Written(long writes, long syncs, long bytes) {
        Written since(Written before) {
            return new Written(writes - before.writes, syncs - before.syncs, bytes - before.bytes);
        }
    }

    @Test
    @Tag("long")
    @Timeout(180)
    void theHubTheSystemCallsAndTheDeviceAgree() throws Exception {
        String obstacle = TestVolumes.obstacle();
        assumeTrue(obstacle == null, obstacle);
        assumeTrue(Files.isExecutable(STRACE), "no strace");
        // The journal is committed on its own every 5 s, for times of files too: here it is not.
        String made = String.join("\n", good("volumes", "create", "log", "--size=1GiB", "--json"));
        SystemTool.run(List.of(
                "mount",
                "-o",
                "remount,noatime,commit=300",
                folder.resolve("log").toString()));
        JsonNode volume = new ObjectMapper().readTree(made).get(0);
        String device = volume.get("loop_device").asText().substring("/dev/".length());
        Path cache = Path.of("/sys/class/block", device, "queue/write_cache");
        Path calls = folder.resolve("strace.txt");
        List<String> strace = List.of(
                STRACE.toString(),
                "-D",
                "-f",
                "-y",
                "-e",
                "trace=write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync",
                "-o",
                calls.toString());
        Written hub;
        try (CommandProcess server = CommandProcess.startUnder(
                strace,
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
            sync(device);
            Files.writeString(cache, "write through");
            Grown off = load(client, port, device);
            // One connection: a group each message, small enough for one request of the device.
            assertThat(off.hub().writes()).isEqualTo(MESSAGES);
            assertThat(off.hub().syncs()).isEqualTo(MESSAGES);
            // A write that goes from one extent of its file to the next is a request for each.
            long split = extentEnds();
            assertThat(off.deviceWrites()).isBetween((long) MESSAGES, MESSAGES + split);
            assertThat(off.deviceBytes()).isEqualTo(off.hub().bytes());
            Files.writeString(cache, "write back");
            Grown on = load(client, port, device);
            assertThat(on.hub()).isEqualTo(off.hub());
            // The kernel counts the flush at the end of each sync as a write without content.
            assertThat(on.deviceWrites()).isBetween(2L * MESSAGES, 2 * MESSAGES + split);
            assertThat(on.deviceBytes()).isEqualTo(on.hub().bytes());
            hub = hub(client);
            server.kill();
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> Files.readString(calls).contains("+++ killed by SIGKILL"));
        // From the hub's first call to its last.
        assertThat(straced(Files.readAllLines(calls))).isEqualTo(hub);
    }

    /** What a load made grow: by the hub, and by the device, which its two accounts agree on. */
    private record Grown(Written hub, long deviceWrites, long deviceBytes) {}

    private Grown load(HubClient client, int port, String device) throws Exception {
        Written hubBefore = hub(client);
        DiskCounters before = Objects.requireNonNull(counters(device));
        Stat statBefore = Stat.read(device);
        good(
                "load",
                // Beside other builds.
                "--shared-machine",
                "--target=127.0.0.1:" + port,
                "--sizes=4KB",
                "--count=" + MESSAGES,
                "--driver-warmup=0s",
                "--repeat=1",
                "--connections=1",
                "--quiet");
        DiskCounters after = Objects.requireNonNull(counters(device));
        Stat stat = Stat.read(device);
        DiskCounters grown = Objects.requireNonNull(after.growth(before));
        long writes = Objects.requireNonNull(grown.get(DiskCounter.WRITES));
        long bytes = Objects.requireNonNull(grown.get(DiskCounter.WRITTEN_BYTES));
        assertThat(stat.writes() - statBefore.writes()).isEqualTo(writes);
        assertThat(512 * (stat.sectors() - statBefore.sectors())).isEqualTo(bytes);
        return new Grown(hub(client).since(hubBefore), writes, bytes);
    }

    /** The device has all of the volume, and nothing waits in its journal. */
    private void sync(String device) throws Exception {
        Process sync = new ProcessBuilder("sync", "-f", folder.resolve("log").toString())
                .inheritIO()
                .start();
        assertThat(sync.waitFor()).isZero();
        await().atMost(Duration.ofSeconds(20)).until(() -> Stat.read(device).inFlight() == 0);
    }

    /** How many places in the log's files are the end of an extent after which another one follows. */
    private long extentEnds() throws Exception {
        long ends = 0;
        try (Stream<Path> segments = Files.list(folder.resolve("log/segments"))) {
            for (Path segment : segments.toList()) {
                Process filefrag = new ProcessBuilder("filefrag", segment.toString()).start();
                String said = new String(
                        filefrag.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
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

    /** What the device itself says, apart from /proc/diskstats; the kernel's block/stat.rst. */
    private record Stat(long writes, long sectors, long inFlight) {
        static Stat read(String device) throws Exception {
            String[] fields = Files.readString(Path.of("/sys/block", device, "stat"))
                    .trim()
                    .split(" +", -1);
            return new Stat(
                    Long.parseLong(fields[4]),
                    Long.parseLong(fields[6]),
                    Long.parseLong(fields[8]));
        }
    }

    private List<String> good(String... arguments) throws Exception {
        Ended ended = CommandProcess.run(folder, arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        return ended.out();
    }

    private static @Nullable DiskCounters counters(String device) {
        return DiskCounters.parse(HostFiles.HERE.text("proc/diskstats"), device);
    }
}
