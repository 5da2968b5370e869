package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A matrix that is known by name; each is a file in {@code presets}.
 *
 * @param name on the command line
 * @param axes of its parts
 * @param duration measured time of each repeat, where nobody says otherwise
 * @param warmup before it
 * @param jitWarmUp load as fast as it goes before all else of each cell; zero for none
 * @param repeat how often each cell is measured
 */
public record Preset(
        String name,
        List<Axes> axes,
        Duration duration,
        Duration warmup,
        Duration jitWarmUp,
        int repeat) {
    /** All that there are. */
    public static final List<String> NAMES = List.of("hub-study", "first-study");

    private static final String PUBLISHED = "published";
    private static final String SEARCHED = "max-sustained";
    private static final String BYTES_RATE = "/s";

    /** Copies the list. */
    public Preset {
        axes = List.copyOf(axes);
    }

    /**
     * {@return the preset of that name}
     *
     * @throws IllegalArgumentException naming those that there are
     */
    public static Preset named(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a preset (" + String.join(", ", NAMES) + ")");
        }
        File file = YamlResource.read("/presets/" + name + ".yaml", File.class);
        List<Axes> axes = new ArrayList<>();
        file.groups.forEach(group -> axes.addAll(group.or(file.each).axes()));
        return new Preset(
                name,
                axes,
                Durations.parse(file.duration),
                Durations.parse(file.warmup),
                Durations.parse(file.jitWarmUp == null ? "0s" : file.jitWarmUp),
                file.repeat);
    }

    /** {@return the cells at a rate that was asked for, or those that search the highest} */
    public Preset at(boolean searched) {
        List<Axes> some = axes.stream()
                .filter(one -> one.rates().contains(SEARCHED) == searched)
                .toList();
        return new Preset(name, some, duration, warmup, jitWarmUp, repeat);
    }

    /** Contents of a file. */
    private record File(
            String duration,
            String warmup,
            @Nullable String jitWarmUp,
            int repeat,
            List<Group> groups,
            Group each) {}

    /** Cells that have something in common; what a group leaves out is that of all. */
    private record Group(
            @Nullable String published,
            @Nullable String deviceProfile,
            @Nullable String layout,
            @Nullable String writeCache,
            @Nullable List<String> sizes,
            @Nullable List<String> rates,
            @Nullable List<String> checkpointDepths,
            @Nullable Integer connections,
            @Nullable String deliver) {
        private Group or(Group all) {
            return new Group(
                    either(published, all.published),
                    either(deviceProfile, all.deviceProfile),
                    either(layout, all.layout),
                    either(writeCache, all.writeCache),
                    either(sizes, all.sizes),
                    either(rates, all.rates),
                    either(checkpointDepths, all.checkpointDepths),
                    either(connections, all.connections),
                    either(deliver, all.deliver));
        }

        private static <T> @Nullable T either(@Nullable T own, @Nullable T ofAll) {
            return own == null ? ofAll : own;
        }

        /** One for each size, since rates differ by size. */
        private List<Axes> axes() {
            return known(sizes).stream().map(ByteSize::parse).map(this::axes).toList();
        }

        private Axes axes(long size) {
            return new Axes(
                    List.of(size),
                    List.of(VolumeLayout.named(known(layout))),
                    List.of("synced"),
                    writeCache == null ? List.of() : List.of(CacheState.named(writeCache)),
                    known(checkpointDepths).stream().map(ByteSize::parse).toList(),
                    List.of(known(connections)),
                    deviceProfile == null ? null : RoleProfiles.parse(deviceProfile),
                    known(rates).stream()
                            .map(rate -> rate(rate, size, String.valueOf(published)))
                            .toList(),
                    known(deliver),
                    List.of());
        }

        private static <T> T known(@Nullable T value) {
            return Objects.requireNonNull(value, "neither of a group nor of each");
        }
    }

    private static String rate(String rate, long size, String server) {
        if (rate.equals(PUBLISHED)) {
            return Objects.requireNonNull(published(server, size), "no published rate");
        }
        if (rate.endsWith(BYTES_RATE)) {
            long bytes = ByteSize.parse(rate.substring(0, rate.length() - BYTES_RATE.length()));
            return BigDecimal.valueOf(bytes)
                    .divide(BigDecimal.valueOf(size), MathContext.DECIMAL32)
                    .stripTrailingZeros()
                    .toPlainString();
        }
        return rate;
    }

    /** {@return messages a second that the study gives for a server and a size; null for others} */
    public static @Nullable String published(String server, long sizeBytes) {
        return HubStudy.published().scenarios().stream()
                .filter(column -> column.server().equals(server)
                        && column.messageSizeKb() * 1000 == sizeBytes)
                .findFirst()
                .map(column ->
                        String.valueOf(column.figures().get(Figure.THROUGHPUT_MSGS_PER_S.key())))
                .orElse(null);
    }
}
