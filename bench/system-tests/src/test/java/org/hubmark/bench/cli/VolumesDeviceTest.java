package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Proves that volumes are as slow as the devices that they are made to be, and are made and removed as a
 * user would, with mail on them or none, and nothing is left behind. What takes root, loop devices or a C compiler is skipped with the reason where there are none.
 */
class VolumesDeviceTest {
    @TempDir
    private Path folder;

    @AfterEach
    void removeWhatWasMade() throws Exception {
        if (Files.exists(folder.resolve("hubmark-volumes/volumes.json"))) {
            good("destroy");
        }
    }

    @Test
    void aPlainFolderIsAsSlowAsADisk() throws Exception {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        // Without root: the variant of create that needs none, whoever runs the test.
        TestVolumes volumes = new TestVolumes(folder.resolve("hubmark-volumes"));
        volumes.createFolder(folder.resolve("disk"), DeviceProfile.SATA_7200);
        Files.writeString(folder.resolve("disk/mail"), "x");

        JsonNode result = json("probe", "disk", "--duration", "1500ms", "--json");
        assertThat(result.get("emulated").asBoolean()).isTrue();
        // No sync ends before the sector has come round again, however busy the machine is: at most
        // one a revolution. How long one takes depends on when it was asked for.
        JsonNode sync = result.get("overwrite_datasync");
        long count = sync.get("count").asLong();
        double seconds = count / sync.get("rate_per_second").asDouble();
        assertThat(count - 1).isLessThanOrEqualTo((long) (seconds * 120) + 1);
        assertThat(result.get("honesty").get("verdict").asText()).isEqualTo("SAFE");

        SyncEmulation.Counters counters =
                Objects.requireNonNull(volumes.emulation().counters(folder.resolve("disk")));
        assertThat(counters.syncs()).isGreaterThan(count);
        assertThat(counters.nanos()).isPositive();
        assertThat(volumes.emulation().counters(folder)).isNull();

        assertThat(good("destroy"))
                .containsExactly("removed " + folder.toRealPath().resolve("disk"));
        assertThat(folder.resolve("disk")).doesNotExist();
        assertThat(folder.resolve("hubmark-volumes/volumes.json")).doesNotExist();
    }

    /** Who had its number before may have been killed while the kernel was to send it no flushes. */
    @Test
    void aLoopDeviceGetsFlushesWhoeverHadItBefore() throws Exception {
        assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "no root, or no loop devices");
        Path image = Files.write(folder.resolve("image"), new byte[1 << 20]);
        String before = TestVolumes.attach(image);
        Path setting = Path.of("/sys/class/block", before.substring(5), "queue/write_cache");
        Files.writeString(setting, "write through");
        SystemTool.run(List.of("losetup", "--detach", before));
        String now = TestVolumes.attach(image);
        try {
            assertThat(setting).content().startsWith("write back");
        } finally {
            Files.writeString(setting, "write back");
            SystemTool.run(List.of("losetup", "--detach", now));
        }
        assumeTrue(now.equals(before), "somebody else took the device in between");
    }

    @Test
    void mailOnATestVolumeIsKept() throws Exception {
        TestVolumes volumes = new TestVolumes(folder.resolve("hubmark-volumes"));
        for (String name : List.of("log", "queue")) {
            volumes.createFolder(folder.resolve(name), DeviceProfile.NVME);
        }
        try (CommandProcess hub =
                CommandProcess.serve(folder, "--log-volume=log/l", "--queue-volume=queue/q")) {
            try (TestClient client = new TestClient(hub.listening())) {
                client.send("Subject: kept\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            for (String[] arguments : List.of(
                    new String[] {"destroy"}, new String[] {"destroy", "--force", "queue"})) {
                assertThat(refused(arguments))
                        .containsPattern("/[lq] is in use by process " + hub.processId());
            }
            hub.stop();
        }
        assertThat(refused("destroy", "log"))
                .contains("hold a queue with 1 message; ")
                .endsWith("nothing was removed");
        assertThat(folder.resolve("log/l/hubmark-store")).exists();
        assertThat(good("destroy", "--force")).hasSize(2);
        assertThat(folder.resolve("log")).doesNotExist();
    }

    @Test
    void makesAndRemovesFileSystemsOfTheirOwn() throws Exception {
        String obstacle = TestVolumes.obstacle();
        assumeTrue(obstacle == null, obstacle);
        Path before = Files.createDirectories(folder.resolve("before"));

        JsonNode made =
                json("create", "before", "absent", "--size", "32MiB", "--json").get(0);
        JsonNode facts = json("inspect", "before", "absent", "--json").get(0);
        assertThat(facts.get("filesystem").asText()).isEqualTo("ext4");
        assertThat(made.get("loop_device").asText())
                .isEqualTo("/dev/" + facts.get("device").asText());
        assertThat(facts.get("write_cache").asText()).isEqualTo("write back");
        assertThat(refused("create", "before")).isNotEmpty();

        assertThat(good("destroy", "absent")).hasSize(1);
        assertThat(folder.resolve("absent")).doesNotExist();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).contains(before.toString());
        assertThat(good("destroy")).hasSize(1);
        assertThat(before).isEmptyDirectory();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
                .doesNotContain(folder.toString());
        try (Stream<Path> images = Files.list(folder.resolve("hubmark-volumes"))) {
            assertThat(images).isEmpty();
        }
    }

    /** As docs/volumes.md says: two volumes, and tracking lies with the queue. */
    @Test
    void aMatrixTakesTestVolumes() throws Exception {
        String obstacle = TestVolumes.obstacle();
        assumeTrue(obstacle == null, obstacle);
        var unused = good("create", "log", "queue", "--size=300MB");
        String matrix = "matrix --dry-run --log-volume=log --queue-volume=queue --sizes=4KB";
        Ended small =
                CommandProcess.run(folder, (matrix + " --checkpoint-depth=512MiB").split(" ", -1));
        assertThat(small.exitCode()).isEqualTo(2);
        assertThat(small.complaint())
                .startsWith("hubmark: no cell can be measured: ")
                .contains("take a smaller depth or a larger volume");
        // More than one layout is compared by mail that waits, with a small depth.
        assertThat(new RunFolder(folder).good(matrix.split(" ", -1)).out())
                .anyMatch(line -> line.startsWith("4kb_one_"))
                .anyMatch(line -> line.startsWith("4kb_apart_"))
                .noneMatch(line -> line.startsWith("4kb_three_"));
    }

    private JsonNode json(String... arguments) throws Exception {
        return new ObjectMapper().readTree(String.join("\n", good(arguments)));
    }

    private List<String> good(String... arguments) throws Exception {
        Ended ended = volumes(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.errors()).isEmpty();
        return ended.out();
    }

    /** {@return the one line that a command says which has to fail} */
    private String refused(String... arguments) throws Exception {
        Ended ended = volumes(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors()).hasSize(1);
        return ended.complaint();
    }

    private Ended volumes(String... arguments) throws Exception {
        return CommandProcess.run(
                folder,
                Stream.concat(Stream.of("volumes"), Stream.of(arguments)).toArray(String[]::new));
    }
}
