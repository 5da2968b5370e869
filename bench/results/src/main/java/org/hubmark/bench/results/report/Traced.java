package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A scenario with what its raw files keep of it.
 *
 * @param counted of each repeat, in their order: the last row of its samples, and its times
 * @param together the times of all repeats
 * @param beside of the latency at a rate beside, which was measured as the only repeat of its own files
 */
record Traced(Scenario scenario, List<Repeat> counted, Repeat together, Repeat beside) {
    /**
     * A figure of a repeat.
     *
     * @param number of the repeat
     * @param value as in results.json; null where it isn't known
     * @param counted what it was made of
     */
    record Stated(int number, @Nullable Double value, Repeat counted) {}

    /** {@return a figure in each repeat} */
    List<Stated> stated(Column column) {
        return stated(repeat -> repeat.figures().get(column));
    }

    /** {@return the same of any figure} */
    List<Stated> stated(Function<Scenario.Repeat, @Nullable Double> figure) {
        List<Stated> all = new ArrayList<>();
        for (int i = 0; i < counted.size(); i++) {
            Scenario.Repeat repeat = scenario.repeats().get(i);
            all.add(new Stated(repeat.repeat(), figure.apply(repeat), counted.get(i)));
        }
        return all;
    }

    /** {@return the file with its times} */
    String log() {
        return scenario.id() + ".hlog";
    }
}
