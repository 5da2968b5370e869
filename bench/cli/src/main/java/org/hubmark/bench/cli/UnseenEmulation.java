package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.core.FileOwners;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A volume that was made to act like a device, used by a process that doesn't see it so. */
final class UnseenEmulation {
    private UnseenEmulation() {}

    /**
     * Says so, in one line for each folder.
     *
     * @param remembered where test volumes are remembered; need not exist
     * @param folders of a hub's volumes; need not exist
     */
    static void warn(Path remembered, List<Path> folders, PrintStream err) throws IOException {
        if (SyncEmulation.active()
                || !Files.isDirectory(remembered)
                || FileOwners.other(remembered) != null) {
            return;
        }
        List<TestVolume> made = new TestVolumes(remembered).list();
        for (Path folder : folders) {
            Path existing = existing(folder);
            TestVolume around = existing == null ? null : TestVolume.enclosing(existing, made);
            if (around != null && around.profile() != null) {
                err.println(
                        "hubmark: warning: " + folder + " was made to act like "
                                + around.profile()
                                + ", which this process does not see: it sees the speed"
                                + " of the disk below. First run: eval \"$(./hubmark volumes environment)\"");
            }
        }
    }

    private static @Nullable Path existing(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        while (path != null && !Files.exists(path)) {
            path = path.getParent();
        }
        return path;
    }
}
