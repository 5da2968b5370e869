package org.hubmark.bench.mail.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        JsonNode file = YamlResource.read("/presets/" + name + ".yaml");
        List<Axes> axes = new ArrayList<>();
        for (JsonNode group : file.path("groups")) {
            axes.addAll(Group.of(group, file.path("each")).axes());
        }
        return new Preset(
                name,
                axes,
                Durations.parse(file.path("duration").asText()),
                Durations.parse(file.path("warmup").asText()),
                Durations.parse(file.path("jit_warm_up").asText("0s")),
                file.path("repeat").asInt());
    }

    /** {@return the cells at a rate that was asked for, or those that search the highest} */
    public Preset at(boolean searched) {
        List<Axes> some = axes.stream()
                .filter(one -> one.rates().contains(SEARCHED) == searched)
                .toList();
        return new Preset(name, some, duration, warmup, jitWarmUp, repeat);
    }

    /** Cells that have something in common. */
    private record Group(
            @Nullable String published,
            @Nullable String deviceProfile,
            String layout,
            @Nullable String writeCache,
            List<String> sizes,
            List<String> rates,
            List<String> checkpointDepths,
            int connections,
            String deliver) {
        /** {@return one; what it leaves out is that of all} */
        private static Group of(JsonNode own, JsonNode each) {
            ObjectNode all = each.deepCopy();
            own.properties().forEach(one -> all.set(one.getKey(), one.getValue()));
            try {
                return JsonFile.read(all, Group.class);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** One for each size, since rates differ by size. */
        private List<Axes> axes() {
            return sizes.stream().map(ByteSize::parse).map(this::axes).toList();
        }

        private Axes axes(long size) {
            return new Axes(
                    List.of(size),
                    List.of(VolumeLayout.valueOf(name(layout))),
                    List.of("synced"),
                    writeCache == null ? List.of() : List.of(CacheState.valueOf(name(writeCache))),
                    checkpointDepths.stream().map(ByteSize::parse).toList(),
                    List.of(connections),
                    deviceProfile == null ? null : RoleProfiles.parse(deviceProfile),
                    rates.stream()
                            .map(rate -> rate(rate, size, String.valueOf(published)))
                            .toList(),
                    deliver,
                    List.of());
        }

        private static String name(String text) {
            return text.toUpperCase(Locale.ROOT);
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
