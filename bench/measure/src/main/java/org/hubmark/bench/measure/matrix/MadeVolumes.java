package org.hubmark.bench.measure.matrix;

import org.hubmark.bench.machine.folders.ClaimedFolder;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.bench.machine.volumes.WriteCache;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Test volumes: file systems on loop devices where that is possible, else plain folders, which can
 * tell layouts apart only by emulation. What an earlier, killed process left is removed first.
 */
public final class MadeVolumes implements CellDevices {
    private static final String FILESYSTEM = "ext4";
    /** For files around the log's segments and the file system's own. */
    private static final long LOG_SPARE_BYTES = 600_000_000;

    private static final long TRACKING_BYTES = 300_000_000;

    private final Path folder;
    private final long volumeBytes;
    private final TestVolumes volumes;
    private final @Nullable String loopObstacle;
    private final Map<Role, TestVolume> made = new EnumMap<>(Role.class);
    private final List<MadeFolder> plain = new ArrayList<>();
    private @Nullable ClaimedFolder claim;

    /**
     * Prepares; makes nothing.
     *
     * @param folder gets all images and mount points
     * @param volumeBytes what the queue volume holds
     */
    public MadeVolumes(Path folder, long volumeBytes) throws IOException {
        this.folder = folder.toAbsolutePath().normalize();
        this.volumeBytes = volumeBytes;
        this.volumes = new TestVolumes(this.folder);
        this.loopObstacle = TestVolumes.obstacle(FILESYSTEM);
    }

    /** {@return what to say of plain folders in place of loop devices; null where there are some} */
    public @Nullable String shortfall() {
        return loopObstacle == null
                ? null
                : "no file systems and loop devices of their own: " + loopObstacle
                        + "; the volumes are plain folders";
    }

    /** A loop device begins with flushes sent. */
    @Override
    public @Nullable CacheState naturalCache() {
        return loopObstacle == null ? CacheState.OFF : null;
    }

    @Override
    public @Nullable String obstacle(Cell cell) throws IOException {
        if (cell.profile() != null) {
            return PreloadLibrary.obstacle();
        }
        if (loopObstacle != null && cell.layout() != VolumeLayout.ONE) {
            return "layout " + cell.layout() + " needs devices of its own ("
                    + loopObstacle
                    + "): name --log-volume, --queue-volume and --tracking-volume, or"
                    + " emulate some with --device-profile";
        }
        if (loopObstacle != null && cell.cache() != null) {
            return "the write cache is set on loop devices only (" + loopObstacle + ")";
        }
        if (cell.layout() == VolumeLayout.STRIPED) {
            String obstacle = TestVolumes.obstacle("btrfs");
            return obstacle == null
                    ? null
                    : "layout striped needs RAID 0, which is made by Btrfs here: " + obstacle
                            + " (apt-get install btrfs-progs); or name a --queue-volume that lies"
                            + " on RAID 0";
        }
        return null;
    }

    @Override
    public void prepare(List<Cell> cells) throws IOException {
        claim = ClaimedFolder.of(folder);
        removeAll();
        Set<Role> roles = EnumSet.noneOf(Role.class);
        long depth = 0;
        boolean together = false;
        for (Cell cell : cells) {
            roles.add(Role.LOG);
            roles.add(real(Role.queueOf(cell.layout()), cell));
            roles.add(Role.trackingOf(cell.layout()));
            depth = Math.max(depth, cell.depthBytes());
            together |= cell.layout() == VolumeLayout.ONE;
        }
        for (Role role : roles) {
            long bytes = switch (role) {
                case LOG -> depth + depth / 4 + LOG_SPARE_BYTES + (together ? volumeBytes : 0);
                case QUEUE, STRIPED_QUEUE -> volumeBytes;
                case TRACKING -> TRACKING_BYTES;
            };
            make(role, bytes, cells.getFirst().profile());
        }
    }

    private void make(Role role, long bytes, @Nullable DeviceProfile profile) throws IOException {
        Path path = path(role);
        if (loopObstacle != null) {
            plain.add(MadeFolder.of(path));
        } else if (role == Role.STRIPED_QUEUE) {
            made.put(role, volumes.createStriped(path, bytes));
        } else {
            made.put(
                    role,
                    volumes.create(
                            new TestVolumes.Request(path, FILESYSTEM, bytes, null, profile)));
        }
    }

    @Override
    public Path folder(Role role, Cell cell) {
        return path(real(role, cell));
    }

    private Path path(Role role) {
        return switch (role) {
            case LOG -> folder.resolve("log");
            case QUEUE -> folder.resolve("queue");
            case STRIPED_QUEUE -> folder.resolve("striped");
            case TRACKING -> folder.resolve("tracking");
        };
    }

    /** With a profile, striping is part of the emulation, and the volume a plain one. */
    private static Role real(Role role, Cell cell) {
        return role == Role.STRIPED_QUEUE && cell.profile() != null ? Role.QUEUE : role;
    }

    @Override
    public List<WriteCache> caches(Cell cell) throws IOException {
        Set<Role> roles = EnumSet.of(
                Role.LOG, real(Role.queueOf(cell.layout()), cell), Role.trackingOf(cell.layout()));
        List<WriteCache> caches = new ArrayList<>();
        for (Role role : roles) {
            TestVolume volume = made.get(role);
            if (volume != null) {
                caches.addAll(TestVolumes.writeCaches(volume));
            }
        }
        return caches;
    }

    @Override
    public void close() throws IOException {
        // Who is told to end has to clean up still, with tools that would be broken off as well.
        boolean interrupted = Thread.interrupted();
        ClaimedFolder held = claim;
        if (held == null) {
            // Nothing was made; what is there may be somebody else's.
            return;
        }
        try (held) {
            removeAll();
            made.clear();
            for (MadeFolder volume : plain) {
                volume.close();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void removeAll() throws IOException {
        for (TestVolume volume : volumes.list()) {
            String user = volumes.user(volume);
            String mail = user == null ? volumes.mail(volume) : null;
            if (user != null) {
                throw UserError.failed(user + "; stop that first");
            }
            if (mail != null) {
                throw UserError.failed(mail + "; remove them by hubmark volumes destroy --force"
                        + " --state " + folder + ", or name another --output");
            }
            volumes.destroy(volume);
        }
    }
}
