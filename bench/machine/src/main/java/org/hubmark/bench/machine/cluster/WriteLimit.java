package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A control group whose processes together write no more than so many octets a second to the disk below
 * a folder, as if it were slow; a sync waits for them (the kernel's
 * admin-guide/cgroup-v1/blkio-controller.rst for version 1, admin-guide/cgroup-v2.rst for version 2).
 * Takes root. The group goes when it is closed, and its processes go back to the top.
 */
public final class WriteLimit implements AutoCloseable {
    private final LimitedGroup group;
    private final String disk;

    private WriteLimit(LimitedGroup group, String disk) {
        this.group = group;
        this.disk = disk;
    }

    /** {@return why there can be none for a folder, or nothing} */
    public static String obstacle(Path folder) throws IOException {
        String obstacle = LimitedGroup.Controller.DISK.obstacle();
        if (obstacle.isEmpty() && Volumes.diskNumber(folder) == null) {
            return folder + " has no disk below it";
        }
        return obstacle;
    }

    /**
     * Makes a group.
     *
     * @param name of its folder; one that is there and holds no processes is taken over
     * @param folder on the disk that is slow
     */
    public static WriteLimit make(String name, Path folder, long bytesPerSecond)
            throws IOException {
        String obstacle = obstacle(folder);
        if (!obstacle.isEmpty()) {
            throw UserError.failed(obstacle);
        }
        String disk = String.valueOf(Volumes.diskNumber(folder));
        LimitedGroup group = LimitedGroup.make(LimitedGroup.Controller.DISK, name);
        WriteLimit limit = new WriteLimit(group, disk);
        limit.set(Long.toString(bytesPerSecond));
        return limit;
    }

    private void set(String bytesPerSecond) throws IOException {
        if (LimitedGroup.isSecond()) {
            group.set("io.max", disk + " wbps=" + bytesPerSecond);
        } else {
            group.set("blkio.throttle.write_bps_device", disk + " " + bytesPerSecond);
        }
    }

    /** Puts a process with all its threads under the limit. */
    public void add(long processId) throws IOException {
        group.add(processId);
    }

    @Override
    public void close() throws IOException {
        // What waits already would go on to.
        set(LimitedGroup.isSecond() ? "max" : "0");
        group.close();
    }
}
