package org.hubmark.bench.measure.matrix;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.results.YamlResource;
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
 * @param about one line for people
 * @param study whether its results are set beside the hub study's, column by column
 * @param axes of its parts
 * @param duration measured time of each repeat, where nobody says otherwise
 * @param warmup before it
 * @param jitWarmUp load as fast as it goes before all else of each cell; zero for none
 * @param repeat how often each cell is measured
 */
public record Preset(
        String name,
        String about,
        boolean study,
        List<Axes> axes,
        Duration duration,
        Duration warmup,
        Duration jitWarmUp,
        int repeat) {
    /** All that there are. */
    public static final List<String> NAMES = List.of("hub-study", "first-study");

    private static final String STUDY = "/reference/hub-study-2007sp1.yaml";
    private static final String PUBLISHED = "published";
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
            axes.addAll(group(group, file.path("each")));
        }
        return new Preset(
                name,
                file.path("about").asText(),
                file.path("study").asBoolean(),
                axes,
                Durations.parse(file.path("duration").asText()),
                Durations.parse(file.path("warmup").asText()),
                Durations.parse(file.path("jit_warm_up").asText("0s")),
                file.path("repeat").asInt());
    }

    /** One for each size, since rates differ by size. */
    private static List<Axes> group(JsonNode group, JsonNode each) {
        List<Axes> all = new ArrayList<>();
        String profile = value(group, each, "device_profile").asText("");
        String cache = value(group, each, "write_cache").asText("");
        String published = value(group, each, PUBLISHED).asText("");
        for (String text : texts(value(group, each, "sizes"))) {
            long size = ByteSize.parse(text);
            all.add(new Axes(
                    List.of(size),
                    List.of(VolumeLayout.named(value(group, each, "layout").asText())),
                    List.of("synced"),
                    cache.isEmpty() ? List.of() : List.of(CacheState.named(cache)),
                    texts(value(group, each, "checkpoint_depths")).stream()
                            .map(ByteSize::parse)
                            .toList(),
                    List.of(value(group, each, "connections").asInt()),
                    profile.isEmpty() ? null : DeviceProfile.named(profile),
                    texts(value(group, each, "rates")).stream()
                            .map(rate -> rate(rate, size, published))
                            .toList(),
                    value(group, each, "deliver").asText()));
        }
        return all;
    }

    private static JsonNode value(JsonNode group, JsonNode each, String name) {
        return group.has(name) ? group.path(name) : each.path(name);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
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
        for (JsonNode scenario : YamlResource.read(STUDY).path("scenarios")) {
            if (scenario.path("server").asText().equals(server)
                    && scenario.path("message_size_kb").asLong() * 1000 == sizeBytes) {
                return scenario.path("throughput_msgs_per_s").asText();
            }
        }
        return null;
    }
}
