package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.WriteCache;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.VolumeSource;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The volumes of one cell while it is measured; closing puts the write caches back. One thread. */
public final class CellVolumes implements VolumeSource.Ready {
    private final DataFolders folders;
    private final HubRequest hub;
    private final List<WriteCache.Restore> restores = new ArrayList<>();

    /**
     * Sets up.
     *
     * @param all cells, for which the devices are prepared once
     * @param emulations gets the emulation's library and lists
     * @param planned the hub before it had volumes
     * @throws IOException if a write cache can't be set; those set before are put back
     */
    public CellVolumes(
            Cell cell, List<Cell> all, CellDevices devices, Path emulations, HubRequest planned)
            throws IOException {
        prepare(devices, all);
        this.folders = new DataFolders(cell.layout().volumes(devices.folders()));
        Map<String, String> settings = new TreeMap<>(planned.spec().settings());
        Map<String, String> environment = Map.of();
        RoleProfiles profiles = cell.device();
        if (profiles != null) {
            // Left to itself, a hub decides by a short trial at each start whether it writes its
            // log
            // past the page cache. On an emulated device chance would decide, and repeats would
            // differ
            // by half. So it is as on such a device: past the page cache where a cache answers
            // syncs.
            boolean isDirect = profiles.log().cacheAnswers()
                    && DirectFiles.arePossible(devices.folders().log());
            settings.putIfAbsent("store.log.direct", isDirect ? "on" : "off");
            environment =
                    emulation(cell.layout(), devices, profiles, emulations).environment();
        }
        this.hub = new HubRequest(
                folders, planned.spec().with(settings), environment, planned.installation());
        if (cell.profile() == null && cell.cache() != null) {
            setCaches(devices.caches(cell), cell.cache());
        }
    }

    /** All cells lie on these volumes: where they can't be made, no other cell can be measured. */
    private static void prepare(CellDevices devices, List<Cell> all) throws IOException {
        try {
            devices.prepare(all);
        } catch (UserError e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static SyncEmulation emulation(
            VolumeLayout layout, CellDevices devices, RoleProfiles profiles, Path emulations)
            throws IOException {
        List<SyncEmulation.Device> all = new ArrayList<>();
        for (String role : layout.devices()) {
            all.add(new SyncEmulation.Device(
                    devices.folders().of(role), profiles.of(role), layout.stripes(role)));
        }
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

    @Override
    public HubRequest hub() {
        return hub;
    }

    @Override
    public void close() throws IOException {
        try {
            folders.close();
        } finally {
            for (WriteCache.Restore restore : restores.reversed()) {
                restore.close();
            }
            restores.clear();
        }
    }
}
