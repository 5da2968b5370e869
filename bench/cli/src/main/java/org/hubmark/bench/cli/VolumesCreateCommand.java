package org.hubmark.bench.cli;

import org.hubmark.bench.machine.devices.VolumesJson;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Makes test volumes. */
@Command(
        name = "create",
        description = {
            "Makes test volumes: file systems on loop devices, which needs root. With --device-profile, the"
                    + " volumes act like another device.",
            "Makes plain folders whose syncs are as slow as the device's if --device-profile is given"
                    + " without root, and prints which parts were left out."
        })
final class VolumesCreateCommand implements Callable<Integer> {
    /** Room for its journal. */
    private static final long BYTES_MIN = 16L << 20;

    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Folders that become volumes; absent or empty.")
    private List<Path> folders;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = "2GB",
            converter = Converters.Size.class,
            description = "Size; of each volume. Default: ${DEFAULT-VALUE}.")
    private long size;

    @Option(
            names = "--device-profile",
            paramLabel = "NAME",
            description = "Device to act like; see docs/volumes.md.")
    private @Nullable DeviceProfile profile;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private TestVolumesOption state;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (size < BYTES_MIN) {
            throw UserError.usage("--size is " + (BYTES_MIN >> 20) + "MiB or more");
        }
        PrintWriter err = spec.commandLine().getErr();
        String obstacle = TestVolumes.obstacle();
        String noEmulation = profile == null ? null : PreloadLibrary.obstacle();
        if (obstacle != null && profile == null) {
            throw UserError.failed("test volumes can't be made here: " + obstacle
                    + "; with --device-profile, plain folders that act like a device can be made");
        }
        if (obstacle != null && noEmulation != null) {
            throw UserError.failed(
                    "nothing can be made here: " + obstacle + ", and " + noEmulation);
        }
        DeviceProfile emulated = noEmulation == null ? profile : null;
        List<TestVolume> made = makeAll(obstacle, emulated);
        if (noEmulation != null) {
            err.println("hubmark: skipped the emulation: " + noEmulation);
        }
        if (obstacle != null) {
            err.println("hubmark: skipped file systems and loop devices of their own: " + obstacle
                    + "; these are plain folders");
        }
        err.flush();
        print(made, emulated);
        return 0;
    }

    /** All or none. */
    private List<TestVolume> makeAll(@Nullable String obstacle, @Nullable DeviceProfile emulated)
            throws IOException {
        TestVolumes volumes = state.volumes();
        List<TestVolume> made = new ArrayList<>();
        try {
            for (Path folder : folders) {
                if (obstacle != null && emulated != null) {
                    made.add(volumes.createFolder(folder, emulated));
                } else {
                    made.add(volumes.create(new TestVolumes.Request(folder, size, emulated)));
                }
            }
            if (emulated != null) {
                var unused = volumes.emulation();
            }
            return made;
        } catch (IOException e) {
            for (TestVolume volume : made) {
                volumes.destroy(volume);
            }
            throw e;
        }
    }

    private void print(List<TestVolume> made, @Nullable DeviceProfile emulated) {
        PrintWriter out = spec.commandLine().getOut();
        if (json.on) {
            out.println(VolumesJson.write(made));
        } else {
            for (TestVolume volume : made) {
                out.println(volume.path() + "  "
                        + (volume.loopDevice() == null
                                ? "folder"
                                : volume.filesystem() + " on " + volume.loopDevice())
                        + (volume.profile() == null ? "" : "  acts like " + volume.profile()));
            }
            if (emulated != null && !emulated.safe()) {
                out.println("UNSAFE: the emulated device would lose mail on a power loss");
            }
        }
        out.flush();
    }
}
