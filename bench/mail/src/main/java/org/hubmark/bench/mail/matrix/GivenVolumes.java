package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.WriteCache;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.queue.RequiredSpace;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Devices that somebody named by a folder on each. Nothing but folders in them is made, and nobody
 * else uses them meanwhile.
 */
public final class GivenVolumes implements CellDevices {
    private final VolumeFolders folders;
    private final Settings settings;
    private final @Nullable String loopObstacle;
    private final List<NewFolder> made = new ArrayList<>();
    private final List<FolderClaim> claims = new ArrayList<>();
    private boolean prepared;

    /**
     * Folders on the devices; made if absent.
     *
     * @param settings of the hubs, which say how much room they need
     * @param loopObstacle why these are the folders of a matrix that could not make test volumes; null for
     *     folders that somebody named
     */
    public GivenVolumes(
            VolumeFolders folders, Map<String, String> settings, @Nullable String loopObstacle)
            throws IOException {
        this.folders = folders;
        this.settings = new Settings(settings);
        this.loopObstacle = loopObstacle;
        for (Path folder : folders.all()) {
            made.add(NewFolder.of(folder));
        }
    }

    @Override
    public @Nullable CacheState naturalCache() {
        return null;
    }

    @Override
    public @Nullable String obstacle(Cell cell) throws IOException {
        List<VolumeFacts> facts = VolumeInspection.inspect(folders.all());
        String shared = shared(cell, facts);
        if (shared != null) {
            return loopObstacle == null
                    ? shared
                    : shared + " (test volumes can't be made: " + loopObstacle
                            + "): name --log-volume, --queue-volume and --tracking-volume, or emulate"
                            + " some with --device-profile";
        }
        String raid = facts.get(1).disk().raid();
        if (cell.layout() == VolumeLayout.STRIPED
                && cell.profile() == null
                && (raid == null || !raid.equals("raid0"))) {
            return "layout striped needs a queue volume on RAID 0, and --queue-volume "
                    + folders.queue() + " is not known to be on one";
        }
        try {
            RequiredSpace.of(settings, cell.depthBytes())
                    .require(folders.log(), folders.of(cell.layout().queue()));
        } catch (StoreException e) {
            return e.getMessage();
        }
        long free = facts.getFirst().freeBytes();
        if (cell.depthBytes() > free) {
            return "checkpoint depth " + ByteSize.format(cell.depthBytes())
                    + " needs more than the " + ByteSize.format(free) + " that are free on "
                    + "--log-volume " + folders.log();
        }
        if (cell.profile() != null) {
            return PreloadLibrary.obstacle();
        }
        return cell.cache() == null ? null : cacheObstacle(cell);
    }

    private static @Nullable String shared(Cell cell, List<VolumeFacts> facts) {
        int devices = cell.layout().devices().size();
        for (int i = 0; i < devices; i++) {
            for (int j = i + 1; j < devices; j++) {
                VolumeFacts one = facts.get(i);
                VolumeFacts other = facts.get(j);
                String what = "layout " + cell.layout() + " needs devices of their own, and ";
                if (one.path().equals(other.path())) {
                    return what + "--" + VolumeFolders.ROLES.get(i) + "-volume and --"
                            + VolumeFolders.ROLES.get(j) + "-volume are one folder, "
                            + one.path();
                }
                // Emulated devices have delays of their own, whatever they lie on.
                String sharing = cell.profile() == null ? sharing(one, other) : null;
                if (sharing != null) {
                    return what + sharing;
                }
            }
        }
        return null;
    }

    /** {@return what speaks against that each has a device of its own; null for nothing} */
    static @Nullable String sharing(VolumeFacts one, VolumeFacts other) {
        if (areLoopDevices(one, other)) {
            return null;
        }
        String both = one.path() + " and " + other.path();
        if (one.sharesDeviceWith().contains(other.path())) {
            return both + " share one";
        }
        String unknown = one.disksUnknown() == null ? other.disksUnknown() : one.disksUnknown();
        return unknown == null ? null : "whether " + both + " share one is unknown: " + unknown;
    }

    /** Each has counters and a queue of requests of its own, as those that a matrix makes. */
    private static boolean areLoopDevices(VolumeFacts one, VolumeFacts other) {
        return one.disk().backingFile() != null
                && other.disk().backingFile() != null
                && !one.disk().backingFile().equals(other.disk().backingFile());
    }

    @Override
    public void check(List<Cell> cells) throws IOException {
        for (Path folder : folders.all()) {
            FolderClaim.requireFree(folder);
        }
        for (Cell cell : cells) {
            new DataFolders(cell.layout().volumes(folders)).check();
        }
    }

    private @Nullable String cacheObstacle(Cell cell) {
        try {
            for (WriteCache cache : caches(cell)) {
                if (!cache.changeable()) {
                    return "only root can change the write cache setting of a device";
                }
            }
            return null;
        } catch (IOException e) {
            return "the write cache can't be set: " + e.getMessage();
        }
    }

    @Override
    public void prepare(List<Cell> cells) throws IOException {
        if (prepared) {
            return;
        }
        check(cells);
        Set<Path> all = new LinkedHashSet<>();
        for (Path folder : folders.all()) {
            if (all.add(folder.toRealPath())) {
                claims.add(FolderClaim.of(folder));
            }
        }
        prepared = true;
    }

    @Override
    public VolumeFolders folders() {
        return folders;
    }

    @Override
    public List<WriteCache> caches(Cell cell) throws IOException {
        Set<Path> used = new LinkedHashSet<>();
        cell.layout().devices().forEach(role -> used.add(folders.of(role)));
        List<WriteCache> caches = new ArrayList<>();
        for (Path folder : used) {
            caches.add(WriteCache.of(folder));
        }
        return caches;
    }

    @Override
    public void close() throws IOException {
        for (FolderClaim claim : claims) {
            claim.close();
        }
        for (NewFolder folder : made.reversed()) {
            folder.close();
        }
    }
}
