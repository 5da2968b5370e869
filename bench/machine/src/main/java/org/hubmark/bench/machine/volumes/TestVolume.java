package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A test volume that was made and has to be removed again.
 *
 * @param path the folder, absolute and without links
 * @param madeFolder whether the folder was not there before
 * @param filesystem ext4 or xfs; null for a plain folder
 * @param sizeBytes of the image; null for a plain folder
 * @param image the file behind the loop device; null for a plain folder
 * @param loopDevice its name, /dev/loop4; null for a plain folder, and until it is set up
 * @param profile the label of the device it acts like; null for none
 * @param inode number of a plain folder, by which it is known again; null for others
 */
@JsonIgnoreProperties("second_image") // Of lists that 0.1.0 wrote.
public record TestVolume(
        String path,
        boolean madeFolder,
        @Nullable String filesystem,
        @Nullable Long sizeBytes,
        @Nullable String image,
        @Nullable String loopDevice,
        @Nullable String profile,
        @Nullable Long inode) {
    /** {@return with its loop device known} */
    TestVolume withLoopDevice(String device) {
        return new TestVolume(
                path, madeFolder, filesystem, sizeBytes, image, device, profile, inode);
    }

    /** Looks at existing folders, with the devices that they act like. */
    public static List<VolumeFacts> inspect(List<Path> folders, List<TestVolume> made)
            throws IOException {
        List<VolumeFacts> all = new ArrayList<>();
        for (VolumeFacts facts : VolumeInspection.inspect(folders)) {
            TestVolume volume = enclosing(Path.of(facts.path()), made);
            String profile = volume == null ? null : volume.profile();
            all.add(facts.emulating(profile));
        }
        return all;
    }

    /** {@return the one that a folder is in, or null} */
    public static @Nullable TestVolume enclosing(Path folder, List<TestVolume> volumes)
            throws IOException {
        Path real = folder.toRealPath();
        TestVolume best = null;
        for (TestVolume volume : volumes) {
            if (real.startsWith(Path.of(volume.path()))
                    && (best == null || volume.path().length() > best.path().length())) {
                best = volume;
            }
        }
        return best;
    }
}
