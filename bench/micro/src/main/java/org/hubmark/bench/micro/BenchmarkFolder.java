package org.hubmark.bench.micro;

import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where benchmarks write: a sync costs what the volume behind the folder makes of it. */
final class BenchmarkFolder {
    private BenchmarkFolder() {}

    /**
     * Makes a fresh folder and says on standard output, among what JMH says, what lies behind it.
     *
     * @param volume an existing folder; empty for that of temporary files
     * @throws UserError if it lies in memory, where a sync does nothing
     */
    static Path make(String volume) throws IOException {
        Path below = Path.of(volume.isEmpty() ? System.getProperty("java.io.tmpdir") : volume);
        if (!Files.isDirectory(below)) {
            throw UserError.usage("the volume " + below + " is not a folder");
        }
        VolumeDisclosure found = VolumeDisclosure.of("all", below);
        if (VolumeInspection.isVolatile(found.filesystem())) {
            throw UserError.usage("the volume " + below + " lies in memory (" + found.filesystem()
                    + "), where a sync does nothing; name a folder on a disk");
        }
        System.out.println("# Volume: " + words(below, found));
        return Files.createTempDirectory(below, "hubmark-micro");
    }

    static String words(Path folder, VolumeDisclosure found) {
        return folder.toAbsolutePath() + ", " + found.filesystem()
                + (found.device() == null ? "" : " on " + found.device())
                + (found.disk().writeCache() == null ? "" : ", " + found.disk().writeCache());
    }
}
