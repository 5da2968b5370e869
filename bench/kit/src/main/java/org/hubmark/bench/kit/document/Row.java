package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.statistics.Inference;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A row of a table with what each of its repeats counted; its figures are made of that whenever they are
 * asked for.
 *
 * @param names by key; null where one isn't known
 * @param repeats in their order
 * @param middle those of them whose mean is the figure, where the form has it so
 */
public record Row(Map<String, @Nullable Object> names, List<Repeat> repeats, List<Repeat> middle)
        implements Values {
    /** Copies. */
    public Row {
        names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
        repeats = List.copyOf(repeats);
        middle = List.copyOf(middle);
    }

    /** One whose repeats are all alike. */
    public Row(Map<String, @Nullable Object> names, List<Repeat> repeats) {
        this(names, repeats, counted(repeats));
    }

    /** {@return its repeat; of several the last} */
    public Repeat repeat() {
        return repeats.getLast();
    }

    /** {@return the repeats that count: those that are complete, if any is} */
    public List<Repeat> counted() {
        return counted(repeats);
    }

    /** {@return in how many sittings they were counted} */
    public int sittings() {
        return (int) counted().stream().mapToInt(Repeat::sitting).distinct().count();
    }

    private static List<Repeat> counted(List<Repeat> repeats) {
        List<Repeat> complete = repeats.stream().filter(Repeat::complete).toList();
        return complete.isEmpty() ? repeats : complete;
    }

    /** {@return the same with the middle by a figure: of five and more all but the least and the largest} */
    Row middleBy(Column column) {
        List<Repeat> order = new ArrayList<>(counted());
        if (order.size() < Inference.TRIMMED_MIN) {
            return new Row(names, repeats);
        }
        // One whose figure isn't known is last.
        order.sort(Comparator.comparingDouble(column::value));
        Set<Repeat> left = Collections.newSetFromMap(new IdentityHashMap<>());
        left.addAll(order.subList(1, order.size() - 1));
        return new Row(names, repeats, counted().stream().filter(left::contains).toList());
    }

    /** {@return a figure in each repeat that counts, NaN where it isn't known} */
    public double[] values(Column column) {
        return counted().stream().mapToDouble(column::value).toArray();
    }

    /** {@return it added up over all repeats that count} A counter that one of them lacks is not known. */
    @Override
    public double count(Formula.Counter counter) {
        return counted().stream().mapToDouble(repeat -> repeat.count(counter)).sum();
    }

    /** {@return those of all repeats that count, together} */
    @Override
    public Histogram times(Times wanted) {
        Histogram all = new Histogram(3);
        counted().forEach(repeat -> all.add(repeat.times(wanted)));
        return all;
    }

    double[] middleValues(Column column) {
        return middle.stream().mapToDouble(column::value).toArray();
    }

    /** {@return a counter in all repeats; NaN where they don't have it alike} */
    double alike(Formula.Counter counter) {
        double[] all = counted().stream()
                .mapToDouble(repeat -> repeat.count(counter))
                .distinct()
                .toArray();
        return all.length == 1 ? all[0] : Double.NaN;
    }

    /** {@return its parts over all repeats that count, those of one name in one row} */
    public Table part(Form form) {
        Map<String, List<Repeat>> all = parts(form, counted());
        Map<String, List<Repeat>> middles = parts(form, middle);
        List<Row> rows = new ArrayList<>();
        all.forEach((id, parts) -> rows.add(new Row(
                named(form, parts.getFirst().names()),
                parts,
                middles.getOrDefault(id, List.of()))));
        return new Table(form, rows);
    }

    private static Map<String, List<Repeat>> parts(Form form, List<Repeat> repeats) {
        Map<String, List<Repeat>> parts = new LinkedHashMap<>();
        for (Repeat repeat : repeats) {
            for (Repeat part : repeat.parts(form)) {
                parts.computeIfAbsent(id(form, part.names()), id -> new ArrayList<>())
                        .add(part);
            }
        }
        return parts;
    }

    private static Map<String, @Nullable Object> named(
            Form form, Map<String, @Nullable Object> all) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        form.names().forEach(name -> names.put(name.key(), all.get(name.key())));
        return names;
    }

    /** {@return what tells it from other rows of the table, for people too} */
    public String id(Form form) {
        return id(form, names);
    }

    static String id(Form form, Map<String, @Nullable Object> names) {
        List<String> all = new ArrayList<>();
        for (Name name : form.names()) {
            if (name.identifies()) {
                all.add((name.label().toLowerCase(Locale.ROOT) + " " + names.get(name.key()))
                        .strip());
            }
        }
        return String.join(", ", all);
    }
}
