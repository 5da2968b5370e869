package org.hubmark.bench.results;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a figure can be made of: a counter, a fact of the machine, another figure. */
public sealed interface Input permits Counter, Input.Fact, Figure {
    /** {@return the name in enum style, which each implementation has anyway} */
    String name();

    /** {@return the name in files: a column of samples.csv, a field of results.json} */
    default String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the input of that key}
     *
     * @throws IllegalArgumentException if there is none
     */
    static Input named(String key) {
        Input input = Named.ALL.get(key);
        if (input == null) {
            throw new IllegalArgumentException("no input is called " + key);
        }
        return input;
    }

    /** What is known of the machines. */
    enum Fact implements Input {
        /** Of the machine whose counters are read: the server's. */
        LOGICAL_CORES,
        /** Of the driver's machine, which is the same unless the server is elsewhere. */
        DRIVER_CORES,
        /** 1 where the driver runs on the server's machine, 0 where that is another. */
        DRIVER_ON_MACHINE
    }

    /** All of them; a figure hides the counter of one second that has its name. */
    final class Named {
        private static final Map<String, Input> ALL = Stream.<Input[]>of(
                        Counter.values(), Fact.values(), Figure.values())
                .flatMap(Arrays::stream)
                .collect(Collectors.toMap(Input::key, Function.identity()));

        private Named() {}
    }
}
