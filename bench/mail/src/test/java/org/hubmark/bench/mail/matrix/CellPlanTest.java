package org.hubmark.bench.mail.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A matrix has each combination that makes sense once, and says why it leaves others out. */
class CellPlanTest {
    private static final long DEPTH = 512_000_000;
    private static final RoleProfiles SATA = RoleProfiles.parse("sata-7200");
    private static final RoleProfiles SCSI = RoleProfiles.parse("scsi-15k-bbwc");

    @TempDir
    Path folder;

    @Test
    void hasEachCombinationUnderAnIdOfItsOwn() throws IOException {
        emulated();
        CellPlan plan = plan(axes(
                List.of(57_000L, 80_000L),
                List.of(VolumeLayout.values()),
                List.of("synced", "periodic=10ms"),
                List.of(CacheState.ON, CacheState.OFF),
                List.of(128_000_000L, DEPTH),
                SATA));
        assertThat(plan.skipped()).isEmpty();
        assertThat(plan.cells()).hasSize(2 * 4 * 2 * 2 * 2);
        assertThat(plan.cells().stream().map(Cell::id).collect(Collectors.toSet()))
                .hasSize(plan.cells().size())
                .allMatch(id -> id.matches("[a-z0-9._-]+"))
                .contains("57kb_sata-7200_three_periodic-10ms_cache-on_depth-128mb_32c");
    }

    @Test
    void leavesOutWhatMakesNoSense() throws IOException {
        emulated();
        CellPlan plan = plan(axes(
                List.of(57_000L),
                List.of(VolumeLayout.THREE),
                List.of("synced", "none"),
                List.of(CacheState.ON, CacheState.OFF),
                List.of(DEPTH),
                SATA));
        assertThat(plan.cells()).hasSize(3);
        assertThat(plan.skipped())
                .containsOnlyKeys("durability none never syncs, so the write cache makes no"
                        + " difference: measured with it on only")
                .containsValue(1);

        CellPlan scsi = plan(axes(
                List.of(57_000L, 80_000L),
                List.of(VolumeLayout.THREE),
                List.of("synced"),
                List.of(CacheState.ON, CacheState.OFF),
                List.of(DEPTH),
                SCSI));
        assertThat(scsi.cells()).hasSize(2).allMatch(cell -> cell.cache() == CacheState.ON);
        assertThat(scsi.skipped())
                .containsOnlyKeys("scsi-15k-bbwc is known with its write cache on only")
                .containsValue(2);
    }

    /** On one device they would have one behaviour. */
    @Test
    void leavesOutLayoutsThatPutDifferentDevicesOnOne() throws IOException {
        emulated();
        RoleProfiles both = RoleProfiles.parse("log=sata-7200,queue=raid10");
        CellPlan plan = plan(axes(
                List.of(57_000L),
                List.of(VolumeLayout.values()),
                List.of("synced"),
                List.of(CacheState.OFF, CacheState.ON),
                List.of(DEPTH),
                both));
        assertThat(plan.skipped())
                .containsOnly(
                        Map.entry(
                                "layout one has volumes of different devices on one (" + both + ")",
                                2),
                        Map.entry("sata-7200-raid10 is an array already, and is not striped", 2));
        assertThat(plan.cells())
                .extracting(cell -> String.valueOf(cell.device()))
                .containsExactly(
                        both.toString(),
                        "log=sata-7200-cache,queue=sata-7200-raid10,tracking=sata-7200-raid10",
                        both.toString(),
                        "log=sata-7200-cache,queue=sata-7200-raid10,tracking=sata-7200-raid10");
        assertThat(plan.cells())
                .extracting(cell -> cell.safety().unsafeReason() != null)
                .containsExactly(false, true, false, true);
        assertThat(plan.cells().getFirst().id())
                .isEqualTo("57kb_log-sata-7200-queue-sata-7200-raid10-tracking-sata-7200-raid10"
                        + "_apart_synced_cache-off_depth-512mb_32c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "raid1 | sata-7200-raid1",
                "log=nvme | nvme",
                "queue=raid1,log=nvme | log=nvme,queue=sata-7200-raid1,tracking=sata-7200-raid1",
                "log=nvme,tracking=raid5 | log=nvme,queue=nvme,tracking=sata-7200-raid5"
            })
    void aRoleThatIsNotNamedIsAsTheOneBefore(String option, String all) {
        assertThat(RoleProfiles.parse(option)).hasToString(all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue=raid1 | 'queue=raid1' names no device of the log",
                "log=nvme,log=raid1 | 'log=nvme,log=raid1' names log twice",
                "log=nvme,disk=raid1 | 'disk=raid1' is not log=NAME, queue=NAME or tracking=NAME",
                "log=nvme, | '' is not log=NAME, queue=NAME or tracking=NAME",
                "log=raid2 | 'raid2' is not a device profile (sata-7200, sata-7200-cache, scsi-15k-bbwc, nvme,"
                        + " sata-7200-raid5, sata-7200-raid1, sata-7200-raid10)"
            },
            quoteCharacter = '"')
    void refusesProfilesThatSayNothing(String option, String reason) {
        assertThatThrownBy(() -> RoleProfiles.parse(option)).hasMessage(reason);
    }

    /** Three folders on one device have no layouts but one. */
    @Test
    void knowsWhatSharesADevice() throws IOException {
        CellDevices devices = new GivenVolumes(
                new VolumeFolders(folder.resolve("a"), folder.resolve("b"), folder.resolve("c")),
                Map.of());
        CellPlan plan = CellPlan.of(
                List.of(axes(
                        List.of(57_000L),
                        List.of(VolumeLayout.values()),
                        List.of("synced"),
                        List.of(),
                        List.of(DEPTH, 1L << 60),
                        null)),
                devices);
        assertThat(plan.cells()).hasSize(1);
        assertThat(plan.cells().getFirst().layout()).isEqualTo(VolumeLayout.ONE);
        assertThat(plan.skipped().keySet())
                .anyMatch(reason -> reason.startsWith(
                        "layout apart needs devices of their own, and " + folder.resolve("a")
                                + " and " + folder.resolve("b") + " share one"))
                .anyMatch(reason -> reason.startsWith("checkpoint depth 1073741824GiB needs more"));
    }

    /** It holds all that layout one needs; the other layouts need more than one. */
    @Test
    void oneFolderForAllVolumesHasTheLayoutOne() throws IOException {
        Path all = folder.resolve("all");
        CellPlan plan = CellPlan.of(
                List.of(axes(
                        List.of(57_000L),
                        List.of(VolumeLayout.ONE, VolumeLayout.APART),
                        List.of("synced"),
                        List.of(),
                        List.of(DEPTH),
                        null)),
                new GivenVolumes(VolumeFolders.same(all), Map.of()));
        assertThat(plan.cells()).hasSize(1);
        assertThat(plan.cells().getFirst().layout()).isEqualTo(VolumeLayout.ONE);
        assertThat(plan.skipped().keySet())
                .containsExactly("layout apart needs devices of their own, and --log-volume and"
                        + " --queue-volume are one folder, " + all);
    }

    /** Devices that are emulated have delays of their own on whatever disk. */
    @Test
    void emulatedDevicesShareNoDevice() throws IOException {
        emulated();
        CellPlan plan = CellPlan.of(
                List.of(axes(
                        List.of(57_000L),
                        List.of(VolumeLayout.APART),
                        List.of("synced"),
                        List.of(),
                        List.of(DEPTH),
                        RoleProfiles.parse("nvme"))),
                new GivenVolumes(VolumeFolders.below(folder), Map.of()));
        assertThat(plan.skipped()).isEmpty();
        assertThat(plan.cells()).hasSize(1);
    }

    /** A hub that finds too little room would not start. */
    @Test
    void leavesOutWhatAHubHasNoRoomFor() throws IOException {
        Axes axes = axes(
                List.of(57_000L),
                List.of(VolumeLayout.ONE),
                List.of("synced"),
                List.of(),
                List.of(DEPTH),
                null);
        Map<String, String> settings = Map.of("store.free-space-min", "1000000GB");
        for (CellDevices devices : List.of(
                new GivenVolumes(VolumeFolders.same(folder), settings),
                new MadeVolumes(folder, 2_000_000_000, settings))) {
            assertThat(CellPlan.of(List.of(axes), devices).skipped().keySet())
                    .singleElement()
                    .asString()
                    .contains("checkpoint depth", " need");
        }
    }

    /** What a run would refuse only when it begins to measure. */
    @Test
    void checksTheVolumesBeforeAnythingIsMeasured() throws IOException {
        Files.createFile(Files.createDirectory(folder.resolve("queue")).resolve("mail"));
        Cell cell = cell("synced", null, null);
        try (CellDevices devices = new GivenVolumes(VolumeFolders.same(folder), Map.of())) {
            assertThatThrownBy(() -> devices.check(List.of(cell)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("volume " + folder.resolve("queue") + " is not empty");
        }
        try (MadeVolumes devices = new MadeVolumes(folder, 1L << 60, Map.of())) {
            // Plain folders take what they need when they need it.
            if (devices.naturalCache() != null) {
                assertThatThrownBy(() -> devices.check(List.of(cell)))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("take a smaller --volume-size");
            }
        }
    }

    @Test
    void aFolderSharesNoDeviceWithItself() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path other = Files.createDirectory(folder.resolve("other"));
        assertThat(VolumeInspection.inspect(List.of(one, one, other)))
                .extracting(VolumeFacts::sharesDeviceWith)
                .containsExactly(
                        List.of(other.toString()),
                        List.of(other.toString()),
                        List.of(one.toString()));
    }

    @Test
    void saysWhatIsUnsafe() {
        assertThat(cell("synced", CacheState.OFF, SATA).safety().unsafeReason()).isNull();
        assertThat(cell("synced", CacheState.ON, SCSI).safety().unsafeReason()).isNull();
        assertThat(cell("synced", null, null).safety().unsafeReason()).isNull();
        assertThat(cell("synced", CacheState.ON, SATA).safety().unsafeReason())
                .contains("write cache");
        assertThat(cell("synced", CacheState.ON, null).safety().unsafeReason())
                .contains("no flush");
        assertThat(cell("none", CacheState.ON, SATA).safety().unsafeReason())
                .contains("durability none", "write cache");
        assertThat(cell("synced", CacheState.ON, SATA).device())
                .isEqualTo(RoleProfiles.parse("sata-7200-cache"));
    }

    @Test
    @Tag("published")
    void presetsAreWhatTheyPromise() throws IOException {
        emulated();
        Preset study = Preset.named("hub-study");
        CellPlan plan = CellPlan.of(study.axes(), new MadeVolumes(folder, 2_000_000_000, Map.of()));
        assertThat(plan.skipped()).isEmpty();
        assertThat(plan.cells()).hasSize(12);
        assertThat(plan.cells().stream()
                        .filter(cell -> SCSI.equals(cell.profile()))
                        .map(cell -> cell.sizeBytes() + " " + cell.rate()))
                .containsExactly(
                        "57000 138.17",
                        "80000 118.87",
                        "57000 max-sustained",
                        "80000 max-sustained");
        assertThat(plan.cells())
                .allMatch(cell -> cell.deliver()
                        .equals(cell.rate().equals("max-sustained") ? "discard" : "hold"));
        assertThat(plan.cells().stream()
                        .filter(cell -> SATA.equals(cell.profile()))
                        .filter(cell -> cell.cache() == CacheState.OFF)
                        .map(Cell::rate))
                .containsExactly("48.85", "40.36", "max-sustained", "max-sustained");
        assertThat(HubStudy.published().scenarios().stream()
                        .map(column -> column.figures().get("throughput_msgs_per_s")))
                .containsExactlyInAnyOrder(138.17, 118.87, 48.85, 40.36);
        assertThat(plan.cells().stream().filter(cell -> cell.safety().unsafeReason() != null))
                .hasSize(4)
                .allMatch(cell -> RoleProfiles.parse("sata-7200-cache").equals(cell.device()));

        Preset first = Preset.named("first-study");
        assertThat(first.axes().stream().flatMap(axes -> axes.sizesBytes().stream()))
                .contains(25_000L, 1_000_000L, 5_000_000L, 10_000_000L);
        assertThat(first.axes().stream().flatMap(axes -> axes.rates().stream()))
                .containsExactly("max", "800", "20", "4", "2");
        assertThatThrownBy(() -> Preset.named("x"))
                .hasMessage("'x' is not a preset (hub-study, first-study)");
    }

    private static void emulated() {
        Assumptions.assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
    }

    private CellPlan plan(Axes axes) throws IOException {
        return CellPlan.of(List.of(axes), new MadeVolumes(folder, 2_000_000_000, Map.of()));
    }

    private static Axes axes(
            List<Long> sizes,
            List<VolumeLayout> layouts,
            List<String> durabilities,
            List<CacheState> caches,
            List<Long> depths,
            @Nullable RoleProfiles profile) {
        return new Axes(
                sizes,
                layouts,
                durabilities,
                caches,
                depths,
                List.of(32),
                profile,
                List.of("max"),
                "discard",
                List.of());
    }

    private static Cell cell(
            String durability, @Nullable CacheState cache, @Nullable RoleProfiles profile) {
        return new Cell(
                57_000,
                VolumeLayout.THREE,
                durability,
                cache,
                DEPTH,
                32,
                profile,
                "max",
                "discard",
                null);
    }
}
