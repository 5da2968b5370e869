package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.volumes.VolumeProbe;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at the volumes before anything is written: whether they can be used at all, and whether a sync
 * of the log is worth something. A fast volume that loses what was synced is not good enough.
 */
final class DatabaseVolumes {
    private DatabaseVolumes() {}

    /** {@return the volumes as results have them} */
    static List<VolumeDisclosure> volumes(QualifyRequest.Databases databases)
            throws IOException, InterruptedException {
        List<VolumeDisclosure> all = new ArrayList<>();
        for (Path folder : databases.volumes()) {
            all.add(volume("database", folder));
        }
        for (Path folder : databases.logVolumes()) {
            all.add(volume("log", folder));
        }
        return all;
    }

    private static VolumeDisclosure volume(String role, Path folder)
            throws IOException, InterruptedException {
        try {
            if (!DirectFiles.arePossible(folder)) {
                throw UserError.failed("volume " + folder + " can't be read past the page cache"
                        + " (its file system has no O_DIRECT): its memory would be measured and not"
                        + " the device; name a folder on a file system such as ext4 or xfs");
            }
            VolumeFacts facts = facts(folder);
            return VolumeDisclosure.of(role, facts, VolumeProbe.look(folder, facts));
        } catch (IOException e) {
            throw UserError.failed(
                    "volume " + folder + " can't be used (" + FileErrors.reason(e) + ")");
        }
    }

    private static VolumeFacts facts(Path folder) throws IOException {
        VolumeFacts facts = VolumeInspection.inspect(List.of(folder)).getFirst();
        String rules = System.getenv(SyncEmulation.VARIABLE);
        DeviceProfile profile =
                rules == null ? null : SyncEmulation.profile(Path.of(rules), folder);
        return facts.emulating(profile == null ? null : profile.toString());
    }
}
