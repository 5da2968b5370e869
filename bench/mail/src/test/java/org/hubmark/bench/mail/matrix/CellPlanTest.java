package org.hubmark.bench.mail.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.mail.TestCase;
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
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** A matrix has each combination that makes sense once, and says why it leaves others out. */
class CellPlanTest {
    private static final long DEPTH = 512_000_000;

    @TempDir
    Path folder;

    /** What is skipped, with the number of cells. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            sizes=57000,80000 layouts=one,apart,three,striped durabilities=synced,periodic=10ms caches=on,off depths=128000000,512000000 profile=sata-7200 | 64 | -
            durabilities=synced,none caches=on,off profile=sata-7200 | 3 | 1 x durability none never syncs, so the write cache makes no difference: measured with it on only
            sizes=57000,80000 caches=on,off profile=scsi-15k-bbwc    | 2 | 2 x scsi-15k-bbwc is known with its write cache on only
            layouts=one,apart,three,striped caches=off,on profile=log=sata-7200,queue=raid10 | 4 | 2 x layout one has volumes of different devices on one (log=sata-7200,queue=sata-7200-raid10,tracking=sata-7200-raid10); 2 x sata-7200-raid10 is an array already, and is not striped
            """)
    void leavesOutWhatMakesNoSense(String axes, int cells, @Nullable String skipped)
            throws IOException {
        emulated();
        CellPlan plan = plan(axes);
        assertThat(plan.skipped().entrySet().stream()
                        .map(entry -> entry.getValue() + " x " + entry.getKey()))
                .containsExactlyInAnyOrder(
                        skipped == null ? new String[0] : skipped.split("; ", -1));
        assertThat(plan.cells()).extracting(Cell::id).hasSize(cells).doesNotHaveDuplicates();
        assertThat(plan.cells()).allMatch(cell -> cell.id().matches("[a-z0-9._-]+"));
    }

    @Test
    void aCellHasANameAndWhatItsDevicesAct() throws IOException {
        emulated();
        assertThat(plan("durabilities=periodic=10ms caches=on depths=128000000 profile=sata-7200")
                        .cells())
                .extracting(Cell::id)
                .containsExactly("57kb_sata-7200_three_periodic-10ms_cache-on_depth-128mb_32c");
        assertThat(plan("layouts=apart caches=off,on profile=log=sata-7200,queue=raid10")
                        .cells())
                .extracting(
                        Cell::id,
                        cell -> String.valueOf(cell.device()),
                        cell -> cell.safety().unsafeReason() != null)
                .containsExactly(
                        tuple(
                                "57kb_log-sata-7200-queue-sata-7200-raid10-tracking-sata-7200-raid10"
                                        + "_apart_synced_cache-off_depth-512mb_32c",
                                "log=sata-7200,queue=sata-7200-raid10,tracking=sata-7200-raid10",
                                false),
                        tuple(
                                "57kb_log-sata-7200-queue-sata-7200-raid10-tracking-sata-7200-raid10"
                                        + "_apart_synced_cache-on_depth-512mb_32c",
                                "log=sata-7200-cache,queue=sata-7200-raid10,tracking=sata-7200-raid10",
                                true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            raid1                 | sata-7200-raid1
            log=nvme              | nvme
            queue=raid1,log=nvme  | log=nvme,queue=sata-7200-raid1,tracking=sata-7200-raid1
            log=nvme,tracking=raid5 | log=nvme,queue=nvme,tracking=sata-7200-raid5
            """)
    void aRoleThatIsNotNamedIsAsTheOneBefore(String option, String all) {
        assertThat(RoleProfiles.parse(option)).hasToString(all);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            queue=raid1         | 'queue=raid1' names no device of the log
            log=nvme,log=raid1  | 'log=nvme,log=raid1' names log twice
            log=nvme,disk=raid1 | 'disk=raid1' is not log=NAME, queue=NAME or tracking=NAME
            log=nvme,           | '' is not log=NAME, queue=NAME or tracking=NAME
            log=raid2           | 'raid2' is not a device profile (sata-7200, sata-7200-cache, scsi-15k-bbwc, nvme, sata-7200-raid5, sata-7200-raid1, sata-7200-raid10)
            """)
    void refusesProfilesThatSayNothing(String option, String reason) {
        assertThatThrownBy(() -> RoleProfiles.parse(option)).hasMessage(reason);
    }

    /** Three folders on one device have no layouts but one. */
    @Test
    void knowsWhatSharesADevice() throws IOException {
        CellPlan plan = plan(
                "layouts=one,apart,three,striped depths=512000000,1152921504606846976",
                given(VolumeFolders.below(folder)));
        assertThat(plan.cells()).extracting(Cell::layout).containsExactly(VolumeLayout.ONE);
        assertThat(plan.skipped().keySet())
                .anyMatch(reason -> reason.startsWith(
                        "layout apart needs devices of their own, and " + folder.resolve("log")
                                + " and " + folder.resolve("queue") + " share one"))
                .anyMatch(reason -> reason.startsWith("checkpoint depth 1073741824GiB needs more"));
    }

    /** It holds all that layout one needs; the other layouts need more than one. */
    @Test
    void oneFolderForAllVolumesHasTheLayoutOne() throws IOException {
        Path all = folder.resolve("all");
        CellPlan plan = plan("layouts=one,apart", given(VolumeFolders.same(all)));
        assertThat(plan.cells()).extracting(Cell::layout).containsExactly(VolumeLayout.ONE);
        assertThat(plan.skipped().keySet())
                .containsExactly("layout apart needs devices of their own, and --log-volume and"
                        + " --queue-volume are one folder, " + all);
    }

    /** Devices that are emulated have delays of their own on whatever disk. */
    @Test
    void emulatedDevicesShareNoDevice() throws IOException {
        emulated();
        CellPlan plan = plan("layouts=apart profile=nvme", given(VolumeFolders.below(folder)));
        assertThat(plan.skipped()).isEmpty();
        assertThat(plan.cells()).hasSize(1);
    }

    /** A hub that finds too little room would not start. */
    @Test
    void leavesOutWhatAHubHasNoRoomFor() throws IOException {
        Map<String, String> settings = Map.of("store.free-space-min", "1000000GB");
        for (CellDevices devices : List.of(
                new GivenVolumes(VolumeFolders.same(folder), settings, null),
                new MadeVolumes(folder, 2_000_000_000, settings))) {
            assertThat(plan("layouts=one", devices).skipped().keySet())
                    .singleElement(STRING)
                    .contains("checkpoint depth", " need");
        }
    }

    /** What a run would refuse only when it begins to measure. */
    @Test
    void checksTheVolumesBeforeAnythingIsMeasured() throws IOException {
        Files.createFile(Files.createDirectory(folder.resolve("queue")).resolve("mail"));
        Cell cell = cell("synced", null, null);
        try (CellDevices devices = new GivenVolumes(VolumeFolders.same(folder), Map.of(), null)) {
            assertThatThrownBy(() -> devices.check(List.of(cell)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("volume " + folder.resolve("queue") + " is not empty");
        }
        try (MadeVolumes devices = new MadeVolumes(folder, 1L << 60, Map.of())) {
            assertThatThrownBy(() -> devices.check(List.of(cell)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("take a smaller --volume-size");
        }
    }

    /** It was claimed by then, which is not all that has to be done. */
    @Test
    void whatFailedIsPreparedAgain() throws IOException {
        try (MadeVolumes devices = new MadeVolumes(folder, 1L << 60, Map.of())) {
            for (int trial = 1; trial <= 2; trial++) {
                assertThatThrownBy(() -> devices.prepare(List.of(cell("synced", null, null))))
                        .as("trial %d", trial)
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            synced | OFF | sata-7200     | -
            synced | ON  | scsi-15k-bbwc | -
            synced | -   | -             | -
            synced | ON  | sata-7200     | write cache
            synced | ON  | -             | no flush
            none   | ON  | sata-7200     | durability none
            none   | ON  | sata-7200     | write cache
            """)
    void saysWhatIsUnsafe(
            String durability,
            @Nullable CacheState cache,
            @Nullable String profile,
            @Nullable String reason) {
        String unsafe = cell(
                        durability, cache, profile == null ? null : RoleProfiles.parse(profile))
                .safety()
                .unsafeReason();
        assertThat(unsafe == null).isEqualTo(reason == null);
        assertThat(String.valueOf(unsafe)).contains(reason == null ? "null" : reason);
    }

    @Test
    @Tag("published")
    void presetsAreWhatTheyPromise() throws IOException {
        emulated();
        Preset study = Preset.named("hub-study");
        CellPlan plan = CellPlan.of(study.axes(), new MadeVolumes(folder, 2_000_000_000, Map.of()));
        assertThat(plan.skipped()).isEmpty();
        assertThat(plan.cells().stream().map(CellPlanTest::words))
                .containsExactlyElementsOf("""
                57000 138.17 hold scsi-15k-bbwc
                80000 118.87 hold scsi-15k-bbwc
                57000 48.85 hold sata-7200
                80000 40.36 hold sata-7200
                57000 48.85 hold sata-7200-cache, unsafe
                80000 40.36 hold sata-7200-cache, unsafe
                57000 max-sustained discard scsi-15k-bbwc
                80000 max-sustained discard scsi-15k-bbwc
                57000 max-sustained discard sata-7200
                80000 max-sustained discard sata-7200
                57000 max-sustained discard sata-7200-cache, unsafe
                80000 max-sustained discard sata-7200-cache, unsafe
                """.lines().toList());
        assertThat(HubStudy.published().scenarios())
                .extracting(column -> column.figures().get("throughput_msgs_per_s"))
                .containsExactlyInAnyOrder(138.17, 118.87, 48.85, 40.36);
        Preset first = Preset.named("first-study");
        assertThat(first.axes().stream().flatMap(axes -> axes.sizesBytes().stream()))
                .contains(25_000L, 1_000_000L, 5_000_000L, 10_000_000L);
        assertThat(first.axes().stream().flatMap(axes -> axes.rates().stream()))
                .containsExactly("max", "800", "20", "4", "2");
        assertThatThrownBy(() -> Preset.named("x"))
                .hasMessage("'x' is not a preset (hub-study, first-study)");
    }

    private static String words(Cell cell) {
        return cell.sizeBytes() + " " + cell.rate() + " " + cell.deliver() + " " + cell.device()
                + (cell.safety().unsafeReason() == null ? "" : ", unsafe");
    }

    private static void emulated() {
        Assumptions.assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
    }

    private CellPlan plan(String axes) throws IOException {
        return plan(axes, new MadeVolumes(folder, 2_000_000_000, Map.of()));
    }

    private static CellDevices given(VolumeFolders folders) throws IOException {
        return new GivenVolumes(folders, Map.of(), null);
    }

    private static CellPlan plan(String words, CellDevices devices) throws IOException {
        Map<String, String> axes = TestCase.words(List.of(words));
        String profile = axes.get("profile");
        Axes all = new Axes(
                levels(axes, "sizes", "57000", Long::valueOf),
                levels(axes, "layouts", "three", VolumeLayout::valueOf),
                levels(axes, "durabilities", "synced", level -> level.toLowerCase(Locale.ROOT)),
                levels(axes, "caches", "", CacheState::valueOf),
                levels(axes, "depths", String.valueOf(DEPTH), Long::valueOf),
                List.of(32),
                profile == null ? null : RoleProfiles.parse(profile),
                List.of("max"),
                "discard",
                List.of());
        return CellPlan.of(List.of(all), devices);
    }

    private static <T> List<T> levels(
            Map<String, String> axes, String axis, String usual, Function<String, T> level) {
        return Stream.of(axes.getOrDefault(axis, usual).split(",", -1))
                .filter(one -> !one.isEmpty())
                .map(one -> level.apply(one.toUpperCase(Locale.ROOT)))
                .toList();
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
