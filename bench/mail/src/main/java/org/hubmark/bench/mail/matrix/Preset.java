package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.kit.document.YamlResource;
import org.hubmark.bench.load.Pace;
import org.hubmark.core.Durations;

import java.time.Duration;
import java.util.List;

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

    /** Copies the list. */
    public Preset {
        axes = List.copyOf(axes);
    }

    /** As the file has it. */
    private record File(
            String duration, String warmup, String jitWarmUp, int repeat, List<Axes> groups) {}

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
        return new Preset(
                name,
                file.groups,
                Durations.parse(file.duration),
                Durations.parse(file.warmup),
                Durations.parse(file.jitWarmUp),
                file.repeat);
    }

    /** {@return the cells at a rate that was asked for, or those that search the highest} */
    public Preset at(boolean searched) {
        List<Axes> some = axes.stream()
                .filter(one -> one.rates().contains(Pace.MaxSustained.NAME) == searched)
                .toList();
        return new Preset(name, some, duration, warmup, jitWarmUp, repeat);
    }
}
