package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.machine.volumes.WriteCache;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/** The devices that the volumes of all cells are put on. One thread. */
public sealed interface CellDevices extends AutoCloseable permits GivenVolumes, MadeVolumes {
    /** {@return what answers a sync when nobody chose and nothing is emulated; null if not known} */
    @Nullable
    CacheState naturalCache();

    /** {@return why that cell can't be measured here; null if it can} */
    @Nullable
    String obstacle(Cell cell) throws IOException;

    /**
     * Looks whether {@link #prepare} can make what these cells need. Makes nothing.
     *
     * @throws UserError if it can't; says what to do
     */
    void check(List<Cell> cells) throws IOException;

    /** Makes what these cells need, the first time; the others below come after it. */
    void prepare(List<Cell> cells) throws IOException;

    /** {@return a folder on each device, by the role of the volume that has one of its own} They exist then. */
    VolumeFolders folders();

    /** {@return how the kernel treats the write caches of the devices that a cell uses} */
    List<WriteCache> caches(Cell cell) throws IOException;

    /** Removes what was made. */
    @Override
    void close() throws IOException;
}
