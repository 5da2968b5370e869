package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Proves on a sysfs made of files, and on what the tools of two file systems print, that a volume is
 * told down to its disks; and on this machine that a device whose writes are counted is seen to be one.
 */
class StorageTest {
    @TempDir
    private Path sys;

    @Test
    void anArrayIsToldDownToItsDisks() throws IOException {
        disk(
                "sda",
                "device/vendor",
                "ATA     ",
                "device/model",
                "Samsung SSD 870",
                "device/rev",
                "2B6Q");
        write("sda", "device/queue_depth", "32");
        write("sda", "queue/write_cache", "write back", "queue/rotational", "0");
        write("sda", "queue/scheduler", "none [mq-deadline]", "size", "1000");
        disk(
                "nvme0n1",
                "device/model",
                "PM9A3",
                "device/firmware_rev",
                "GDC5602Q",
                "device/vendor",
                "0x144d");
        disk("md0", "md/level", "raid1");
        for (String part : new String[] {"sda", "nvme0n1"}) {
            Files.createDirectories(folder("md0").resolve("slaves/" + part));
        }
        disk("nvme0n1", "current_link_speed", "16.0 GT/s PCIe", "current_link_width", "4");
        assertThat(Storage.of(stack("md0"), 1_000_000L, 25.0))
                .isEqualTo(new Storage(
                        "raid1",
                        List.of("md0 (raid1)", "nvme0n1 (PM9A3)", "sda (ATA Samsung SSD 870)"),
                        1_000_000L,
                        25.0,
                        List.of(
                                new Storage.Disk(
                                        "nvme0n1",
                                        "PM9A3",
                                        "GDC5602Q",
                                        null,
                                        "16.0 GT/s PCIe x4",
                                        null,
                                        null,
                                        null,
                                        null,
                                        null,
                                        null),
                                new Storage.Disk(
                                        "sda",
                                        "ATA Samsung SSD 870",
                                        "2B6Q",
                                        512_000L,
                                        null,
                                        "write back",
                                        false,
                                        "mq-deadline",
                                        32,
                                        null,
                                        null))));
    }

    @Test
    void whatADiskDoesNotSayIsUnknown() throws IOException {
        disk("vda");
        assertThat(Storage.of(stack("vda"), null, null))
                .isEqualTo(new Storage(
                        null,
                        List.of("vda"),
                        null,
                        null,
                        List.of(new Storage.Disk(
                                "vda", null, null, null, null, null, null, null, null, null,
                                null))));
    }

    @Test
    void readsTheDriverOfItsController() throws IOException {
        Path controller = Files.createDirectories(sys.resolve("sys/devices/pci0/0000:01:00.0"));
        Path disk = controller.resolve("host0/block/sda");
        Files.createDirectories(disk.resolve("queue"));
        Files.createDirectories(sys.resolve("sys/bus/pci/drivers/megaraid_sas"));
        Files.createSymbolicLink(
                controller.resolve("driver"), sys.resolve("sys/bus/pci/drivers/megaraid_sas"));
        Files.writeString(controller.resolve("vendor"), "0x1000\n");
        Files.writeString(controller.resolve("device"), "0x005b\n");
        Storage.Disk told = Storage.Disk.of(new BlockDevice("sda", disk, sys.resolve("sys")));
        assertThat(told.controller()).isEqualTo("PCI 1000:005b");
        assertThat(told.driver()).isEqualTo("megaraid_sas");
    }

    private VolumeStack stack(String device) throws IOException {
        Files.createDirectories(sys.resolve("proc/self"));
        Files.writeString(sys.resolve("proc/diskstats"), "254 0 vda 1 0 2 0 1 0 2 0 0 0 0\n");
        Files.writeString(
                sys.resolve("proc/self/mountinfo"),
                "27 1 9:9 / / rw - ext4 /dev/" + device + " rw\n");
        Files.createDirectories(sys.resolve("sys/dev/block"));
        Path number = sys.resolve("sys/dev/block/9:9");
        Files.deleteIfExists(number);
        Files.createSymbolicLink(number, folder(device));
        return VolumeStack.of(Path.of("/v"), new HostFiles(sys));
    }

    private void disk(String name, String... filesAndTexts) throws IOException {
        Files.createDirectories(folder(name));
        write(name, filesAndTexts);
    }

    private void write(String name, String... filesAndTexts) throws IOException {
        for (int i = 0; i < filesAndTexts.length; i += 2) {
            Path file = folder(name).resolve(filesAndTexts[i]);
            Files.createDirectories(file.getParent());
            Files.writeString(file, filesAndTexts[i + 1] + "\n");
        }
    }

    private Path folder(String name) {
        return sys.resolve("sys/class/block").resolve(name);
    }
}
