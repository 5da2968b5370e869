package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Source of the figures of a volume: "device" (diskstats) or "engine"; null if there is none. */
public record CounterSource(@Nullable String log, @Nullable String queue) {
    /** {@return the most frequent of repeats} */
    static CounterSource of(List<CounterSource> repeats) {
        return new CounterSource(
                Scenario.mostFrequent(repeats.stream().map(CounterSource::log).toList()),
                Scenario.mostFrequent(repeats.stream().map(CounterSource::queue).toList()));
    }
}
