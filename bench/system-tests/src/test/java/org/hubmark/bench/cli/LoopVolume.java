package org.hubmark.bench.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.machine.volumes.TestVolumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The volume {@code log} of a folder, on a loop device on which nothing else lies. Takes root; the test is
 * skipped without.
 */
record LoopVolume(RunFolder runs, String device) implements AutoCloseable {
    private static final int SECTOR_BYTES = 512;

    /** What the device itself says, apart from /proc/diskstats; the kernel's block/stat.rst. */
    record Stat(long writes, long writtenBytes, long inFlight) {}

    /** Makes it, with some options of its mount. */
    static LoopVolume make(RunFolder runs, String options) throws Exception {
        String obstacle = TestVolumes.obstacle();
        assumeTrue(obstacle == null, obstacle);
        String device = runs.goodJson("volumes", "create", "log", "--size=1GiB", "--json")
                .at("/0/loop_device")
                .asText();
        LoopVolume volume = new LoopVolume(runs, device.substring("/dev/".length()));
        SystemTool.run(
                List.of("mount", "-o", "remount," + options, volume.folder().toString()));
        return volume;
    }

    Path folder() {
        return runs.path().resolve("log");
    }

    Stat stat() throws IOException {
        String[] fields =
                Files.readString(Path.of("/sys/block", device, "stat")).trim().split(" +", -1);
        return new Stat(
                Long.parseLong(fields[4]),
                Long.parseLong(fields[6]) * SECTOR_BYTES,
                Long.parseLong(fields[8]));
    }

    /** Removes it with the mail that a killed hub holds there. */
    @Override
    public void close() throws Exception {
        runs.good("volumes", "destroy", "--force");
    }
}
