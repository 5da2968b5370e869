package org.hubmark.bench.mail.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.mail.TestCase;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A matrix has each combination that makes sense once, says why it leaves others out, and what of each can lose mail
 * (plans.txt).
 */
class CellPlanTest {
    @TempDir
    Path folder;

    static List<TestCase> plans() throws IOException {
        String[] keys = {"axes", "preset", "volumes", "set", "cells", "cell", "skipped"};
        return TestCase.of(CellPlanTest.class, "plans.txt", keys);
    }

    @ParameterizedTest
    @MethodSource
    void plans(TestCase one) throws IOException {
        boolean emulates = !one.all("preset").isEmpty() || one.words("axes").containsKey("profile");
        assumeFalse(emulates && PreloadLibrary.obstacle() != null, "no C compiler");
        CellPlan plan = plan(one);
        assertThat(plan.cells()).extracting(Cell::id).doesNotHaveDuplicates();
        assertThat(plan.cells()).allMatch(cell -> cell.id().matches("[a-z0-9._-]+"));
        assertThat(plan.cells().stream().map(CellPlanTest::words))
                .hasSize(Integer.parseInt(one.all("cells").getFirst()))
                .containsSubsequence(one.all("cell"));
        assertThat(plan.skipped().entrySet().stream()
                        .map(reason -> reason.getValue() + " x " + reason.getKey())
                        .map(reason -> reason.replace(folder.toString(), "FOLDER")))
                .zipSatisfy(
                        one.all("skipped"),
                        (reason, begin) -> assertThat(reason).startsWith(begin));
    }

    private static String words(Cell cell) {
        String unsafe = cell.safety().unsafeReason();
        return cell.id() + " " + cell.device() + (unsafe == null ? "" : " UNSAFE " + unsafe);
    }

    private CellPlan plan(TestCase one) throws IOException {
        Map<String, String> settings = one.words("set");
        List<String> volumes = one.all("volumes");
        List<String> presets = one.all("preset");
        return CellPlan.of(
                presets.isEmpty()
                        ? List.of(axes(one.words("axes")))
                        : Preset.named(presets.getFirst()).axes(),
                volumes.isEmpty()
                        ? new MadeVolumes(folder, 2_000_000_000, settings)
                        : given(volumes.getFirst(), settings));
    }

    private GivenVolumes given(String volumes, Map<String, String> settings) throws IOException {
        VolumeFolders folders = volumes.equals("one")
                ? VolumeFolders.same(folder.resolve("all"))
                : VolumeFolders.below(folder);
        return new GivenVolumes(folders, settings, null);
    }

    private static Axes axes(Map<String, String> axes) {
        String profile = axes.get("profile");
        return new Axes(
                levels(axes, "sizes", "57000", Long::valueOf),
                levels(axes, "layouts", "three", VolumeLayout::valueOf),
                levels(axes, "durabilities", "synced", level -> level.toLowerCase(Locale.ROOT)),
                levels(axes, "caches", "", CacheState::valueOf),
                levels(axes, "depths", "512000000", Long::valueOf),
                List.of(32),
                profile == null ? null : RoleProfiles.parse(profile),
                List.of("max"),
                "discard",
                List.of());
    }

    private static <T> List<T> levels(
            Map<String, String> axes, String axis, String usual, Function<String, T> level) {
        return Stream.of(axes.getOrDefault(axis, usual).split(",", -1))
                .filter(one -> !one.isEmpty())
                .map(one -> level.apply(one.toUpperCase(Locale.ROOT)))
                .toList();
    }

    @Test
    @Tag("published")
    void aPresetHasTheRatesOfThePublishedStudy() {
        assertThat(Preset.named("hub-study").at(false).axes().stream()
                        .flatMap(axes -> axes.rates().stream())
                        .distinct()
                        .map(Double::valueOf))
                .containsExactlyInAnyOrderElementsOf(HubStudy.published().scenarios().stream()
                        .map(column -> column.figures().get("throughput_msgs_per_s"))
                        .toList());
        assertThatThrownBy(() -> Preset.named("x"))
                .hasMessage("'x' is not a preset (hub-study, first-study)");
    }

    /** A role that is not named is as the one before. */
    @ParameterizedTest
    @CsvFileSource(resources = "profiles.csv", delimiter = '|')
    void profiles(String option, String found) {
        String parsed;
        try {
            parsed = RoleProfiles.parse(option).toString();
        } catch (IllegalArgumentException e) {
            parsed = e.getMessage();
        }
        assertThat(parsed).isEqualTo(found);
    }

    /** What a run would refuse only when it begins to measure; what is claimed by then is not yet prepared. */
    @Test
    void checksTheVolumesBeforeAnythingIsMeasured() throws IOException {
        List<Cell> cells = CellPlan.of(
                        List.of(axes(Map.of())), new MadeVolumes(folder, 2_000_000_000, Map.of()))
                .cells();
        Path queue = Files.createDirectories(folder.resolve("all/queue"));
        Files.createFile(queue.resolve("mail"));
        try (CellDevices devices = given("one", Map.of())) {
            assertThatThrownBy(() -> devices.check(cells))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("volume " + queue + " is not empty");
        }
        try (MadeVolumes devices = new MadeVolumes(folder, 1L << 60, Map.of())) {
            for (int trial = 1; trial <= 2; trial++) {
                assertThatThrownBy(() -> devices.prepare(cells))
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
}
