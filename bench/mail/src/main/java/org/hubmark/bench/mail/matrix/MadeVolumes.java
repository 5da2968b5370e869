package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.machine.folders.Cleanup;
import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.bench.machine.volumes.WriteCache;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Settings;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.queue.RequiredSpace;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Test volumes: file systems on loop devices. What an earlier, killed process left is removed first. */
public final class MadeVolumes implements CellDevices {
    /** For files around the log's segments and the file system's own. */
    private static final long LOG_SPARE_BYTES = 600_000_000;

    private static final long TRACKING_BYTES = 300_000_000;

    /** What ext4 leaves of a device: inodes and journal take 3 % of 2 GB, 7 % of 300 MB. */
    private static final int USABLE_PERCENT = 93;

    private final Path folder;
    private final long volumeBytes;
    private final Settings settings;
    private final TestVolumes volumes;
    private final Map<String, TestVolume> made = new HashMap<>();
    private @Nullable FolderClaim claim;
    private boolean prepared;

    /**
     * Prepares; makes nothing.
     *
     * @param folder gets all images and mount points
     * @param volumeBytes what the queue volume holds
     * @param settings of the hubs, which say how much room they need
     */
    public MadeVolumes(Path folder, long volumeBytes, Map<String, String> settings)
            throws IOException {
        this.folder = folder.toAbsolutePath().normalize();
        this.volumeBytes = volumeBytes;
        this.settings = new Settings(settings);
        this.volumes = new TestVolumes(this.folder);
    }

    /** {@return why there can be none here; null if there can} */
    public static @Nullable String obstacle() throws IOException {
        return TestVolumes.obstacle();
    }

    /** A loop device begins with flushes sent. */
    @Override
    public CacheState naturalCache() {
        return CacheState.OFF;
    }

    @Override
    public @Nullable String obstacle(Cell cell) throws IOException {
        String small = small(cell);
        if (small != null) {
            return small;
        }
        if (cell.profile() != null) {
            return PreloadLibrary.obstacle();
        }
        return cell.layout() == VolumeLayout.STRIPED
                ? "layout striped needs RAID 0: name a --queue-volume that is on one, or emulate it"
                        + " with --device-profile"
                : null;
    }

    /** {@return why the volumes of a cell have no room for a hub; null if they have} */
    private @Nullable String small(Cell cell) {
        RequiredSpace space = RequiredSpace.of(settings, cell.depthBytes());
        long neededBytes = space.queueBytes() * 100 / USABLE_PERCENT;
        return volumeBytes >= neededBytes
                ? null
                : "checkpoint depth " + ByteSize.format(cell.depthBytes()) + " needs --volume-size "
                        + Math.ceilDiv(neededBytes, 1_000_000) + "MB or more";
    }

    @Override
    public void check(List<Cell> cells) throws IOException {
        long neededBytes =
                sizes(cells).values().stream().mapToLong(Long::longValue).sum();
        long roomBytes = volumes.roomBytes();
        if (roomBytes < neededBytes) {
            throw UserError.usage(
                    "the test volumes take " + Math.ceilDiv(neededBytes, 1_000_000)
                            + " MB, and " + folder + " has room for " + roomBytes / 1_000_000
                            + " MB; take a smaller --volume-size or --checkpoint-depth, or another --output");
        }
    }

    @Override
    public void prepare(List<Cell> cells) throws IOException {
        if (prepared) {
            return;
        }
        if (claim == null) {
            claim = FolderClaim.of(folder);
        }
        removeAll();
        check(cells);
        RoleProfiles profile = cells.getFirst().profile();
        for (Map.Entry<String, Long> size : sizes(cells).entrySet()) {
            String role = size.getKey();
            TestVolumes.Request request = new TestVolumes.Request(
                    folders().of(role), size.getValue(), profile == null ? null : profile.of(role));
            made.put(role, volumes.create(request));
        }
        prepared = true;
    }

    /** {@return how large the volumes for these cells are} */
    private Map<String, Long> sizes(List<Cell> cells) {
        Map<String, Long> sizes = new TreeMap<>();
        long depth = 0;
        long together = 0;
        for (Cell cell : cells) {
            depth = Math.max(depth, cell.depthBytes());
            if (cell.layout() == VolumeLayout.ONE) {
                together = volumeBytes;
            }
            for (String role : cell.layout().devices()) {
                sizes.put(role, role.equals("tracking") ? TRACKING_BYTES : volumeBytes);
            }
        }
        long logBytes = depth + depth / 4 + LOG_SPARE_BYTES + together;
        sizes.computeIfPresent("log", (role, bytes) -> logBytes);
        return sizes;
    }

    @Override
    public VolumeFolders folders() {
        return VolumeFolders.below(folder);
    }

    @Override
    public List<WriteCache> caches(Cell cell) throws IOException {
        List<WriteCache> caches = new ArrayList<>();
        for (String role : cell.layout().devices()) {
            TestVolume volume = made.get(role);
            if (volume != null) {
                caches.addAll(TestVolumes.writeCaches(volume));
            }
        }
        return caches;
    }

    @Override
    public void close() throws IOException {
        FolderClaim held = claim;
        // Else nothing was made; what is there may be somebody else's.
        if (held != null) {
            Cleanup.run(() -> {
                try (held) {
                    removeAll();
                    made.clear();
                }
            });
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
                        + " --images " + folder + ", or name another --output");
            }
            volumes.destroy(volume);
        }
    }
}
