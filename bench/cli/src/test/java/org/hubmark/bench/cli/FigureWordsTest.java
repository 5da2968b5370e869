package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.kit.document.Values;
import org.hubmark.bench.plan.PlanInputs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves that the words of each figure of each study, and of each figure that one is made of, name all that
 * it is made of: evaluates it over values that know everything and note what they are asked for.
 */
class FigureWordsTest {
    private static final Histogram TIMES = new Histogram(3);

    static {
        TIMES.recordValueWithCount(1_000_000, 1_000_000);
    }

    /** Each of its parts and samples knows everything too. */
    private record Everything(List<String> asked, List<Column> figures) implements Values {
        @Override
        public double count(Formula.Counter counter) {
            asked.add(PlanInputs.of(counter.key()).map(Formula::words).orElse(counter.words()));
            return 1;
        }

        @Override
        public Histogram times(Times wanted) {
            asked.add(wanted.words());
            return TIMES;
        }

        @Override
        public double of(Column column) {
            asked.add(column.label());
            figures.add(column);
            return 1;
        }

        @Override
        public double number(Name name) {
            asked.add(name.label());
            return 1;
        }

        @Override
        public List<Values> parts(Form form) {
            return List.of(this);
        }

        @Override
        public List<Values> samples() {
            return List.of(this);
        }
    }

    static Stream<Column> columns() {
        return Studies.KINDS.stream()
                .map(Kind::forms)
                .flatMap(List::stream)
                .flatMap(form -> Stream.concat(Stream.of(form), form.parts().stream()))
                .flatMap(form -> form.columns().stream())
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("columns")
    void wordsNameWhatIsAskedFor(Column column) {
        Everything values = new Everything(new ArrayList<>(), new ArrayList<>());
        switch (column.definition()) {
            case Column.Definition.Own made -> values.asked.add(made.of().label());
            case Column.Definition.AtMost made -> values.asked.add(made.of().label());
            default -> {
                double unused = column.value(values);
            }
        }
        assertThat(values.asked)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(column.words()).contains(name));
        values.figures.forEach(this::wordsNameWhatIsAskedFor);
    }
}
