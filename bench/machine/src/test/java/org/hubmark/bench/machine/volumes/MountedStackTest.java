package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves on a file system that this machine mounts, where it may, that two folders of one Btrfs share a
 * disk, and that its writes are counted.
 */
class MountedStackTest {
    private static final long IMAGE_BYTES = 256L << 20;

    private final List<List<String>> undo = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void remove() throws IOException {
        for (List<String> command : undo.reversed()) {
            SystemTool.run(command);
        }
    }

    @Test
    void foldersOfOneBtrfsShareItsDevice() throws IOException {
        assumeTrue(SystemTool.root() && SystemTool.exists("mkfs.btrfs"), "no root, or no Btrfs");
        Path image = folder.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(IMAGE_BYTES);
        }
        String device = SystemTool.run(List.of("losetup", "--find", "--show", image.toString()));
        undo.add(List.of("losetup", "--detach", device));
        SystemTool.run(List.of("mkfs.btrfs", "-q", device));
        Path point = Files.createDirectory(folder.resolve("pool"));
        SystemTool.run(List.of("mount", "-t", "btrfs", device, point.toString()));
        undo.add(List.of("umount", point.toString()));

        Path log = Files.createDirectory(point.resolve("log"));
        Path queue = Files.createDirectory(point.resolve("queue"));
        VolumeFacts facts = VolumeInspection.inspect(List.of(log, queue)).getFirst();
        assertThat(facts.sharesDeviceWith()).containsExactly(queue.toString());
        assertThat(facts.mount().mountPoint()).isEqualTo(point.toString());
        VolumeStack stack = VolumeStack.of(log);
        assertThat("/dev/" + stack.deviceName()).isEqualTo(device);
        assertThat(stack.backingFile()).isEqualTo(image.toRealPath());
        assertThat(stack.media()).isEqualTo(VolumeStack.of(folder).media());
    }
}
