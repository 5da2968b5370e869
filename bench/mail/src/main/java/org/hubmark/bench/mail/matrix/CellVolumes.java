package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.WriteCache;
import org.hubmark.bench.mail.matrix.CellDevices.Role;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The volumes of one cell while it is measured; closing puts the write caches back. One thread. */
public final class CellVolumes implements AutoCloseable {
    private final VolumeFolders folders;
    private final Map<Role, Path> devices = new LinkedHashMap<>();
    private final @Nullable SyncEmulation emulation;
    private final List<WriteCache.Restore> restores = new ArrayList<>();

    /**
     * Sets up.
     *
     * @param emulations gets the emulation's library and lists
     * @throws IOException if a write cache can't be set; those set before are put back
     */
    public CellVolumes(Cell cell, CellDevices cellDevices, Path emulations) throws IOException {
        for (Role role :
                List.of(Role.LOG, Role.queueOf(cell.layout()), Role.trackingOf(cell.layout()))) {
            devices.put(role, cellDevices.folder(role, cell));
        }
        this.folders = foldersOf(cell, cellDevices);
        this.emulation = emulation(cell, emulations);
        if (cell.profile() == null && cell.cache() != null) {
            setCaches(cellDevices.caches(cell), cell.cache());
        }
    }

    /** {@return where the volumes of a cell lie on its devices} */
    static VolumeFolders foldersOf(Cell cell, CellDevices devices) {
        return new VolumeFolders(
                devices.folder(Role.LOG, cell).resolve("log"),
                devices.folder(Role.queueOf(cell.layout()), cell).resolve("queue"),
                devices.folder(Role.trackingOf(cell.layout()), cell).resolve("tracking"));
    }

    private @Nullable SyncEmulation emulation(Cell cell, Path emulations) throws IOException {
        RoleProfiles device = cell.device();
        if (device == null) {
            return null;
        }
        List<SyncEmulation.Device> all = new ArrayList<>();
        devices.forEach((role, folder) -> all.add(new SyncEmulation.Device(
                folder, device.of(role), role == Role.STRIPED_QUEUE ? VolumeLayout.STRIPES : 1)));
        return SyncEmulation.prepare(emulations, all);
    }

    private void setCaches(List<WriteCache> caches, CacheState state) throws IOException {
        try {
            for (WriteCache cache : caches) {
                // Answered by the cache is what the kernel calls write through: it sends no flush.
                restores.add(cache.set(state == CacheState.OFF));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** {@return the folder that stands for the device of the log} */
    Path logDevice() {
        return Objects.requireNonNull(devices.get(Role.LOG));
    }

    /** {@return the folders of the volumes} */
    public VolumeFolders folders() {
        return folders;
    }

    /** {@return what a hub needs in its environment to see the devices that are emulated} */
    public Map<String, String> environment() {
        return emulation == null ? Map.of() : emulation.environment();
    }

    /** {@return the emulation of the devices; null without one} */
    public @Nullable SyncEmulation emulation() {
        return emulation;
    }

    @Override
    public void close() throws IOException {
        Collections.reverse(restores);
        for (WriteCache.Restore restore : restores) {
            restore.close();
        }
        restores.clear();
    }
}
