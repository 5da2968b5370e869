package org.hubmark.bench.mail.document;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.load.Audit;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One message size under one configuration: a row of a document, with what it says beside the figures.
 * What follows from its repeats is made of them whenever it is asked for.
 *
 * @param table that it is in
 */
public record Scenario(Table table, Row row) {
    /** {@return unique in the file} */
    public String id() {
        return row.name(MailDocument.ID);
    }

    /** {@return octets of content / 1000; with a corpus, the mean} */
    public double messageSizeKb() {
        return row.number(MailDocument.SIZE);
    }

    /** {@return under which it was measured} */
    public Conditions conditions() {
        return Conditions.of(row.names());
    }

    /** {@return a figure over the repeats; NaN when it isn't known} */
    public double value(Column figure) {
        return table.estimate(row, figure).value();
    }

    /** {@return a figure over the repeats; null when it isn't known} */
    public @Nullable Double get(Column figure) {
        return MailDocument.known(value(figure));
    }

    /** {@return a figure in each repeat in which it is known} */
    public double[] values(Column figure) {
        return Arrays.stream(row.values(figure)).filter(Double::isFinite).toArray();
    }

    /** {@return those that count, in the order measured} */
    public List<Repeat> repeats() {
        return row.counted().stream()
                .filter(one -> !one.isEmpty())
                .map(Repeat::new)
                .toList();
    }

    /** {@return those that say only why they could not be measured} */
    private Stream<Repeat> failed() {
        return row.repeats().stream()
                .filter(org.hubmark.bench.kit.document.Repeat::isEmpty)
                .map(Repeat::new);
    }

    /** {@return something of each repeat in which it is known} */
    private <T> List<T> each(Name name, Class<T> type) {
        return repeats().stream()
                .flatMap(repeat -> Stream.ofNullable(repeat.counted.name(name, type)))
                .toList();
    }

    /** {@return what set the pace, beside what the log device holds} */
    public Limiting limiting() {
        return Limiting.of(repeats().stream().map(Repeat::limiting).toList())
                .beside(logDevicePercent());
    }

    /** {@return whether the rate was asked for and kept: then it is the driver's, and has no interval} */
    public boolean rateAsked() {
        return limiting().rateAsked();
    }

    /** {@return whether acknowledged mail can be lost when the power fails} */
    public boolean isUnsafe() {
        return Boolean.TRUE.equals(conditions().safety().unsafe());
    }

    /** {@return whether each connection waited for its answer before it sent the next message} */
    public boolean isClosedLoop() {
        return "max".equals(conditions().get(Condition.ASKED_RATE));
    }

    /** {@return scatter of the repeats} */
    public Spread spread() {
        return Spread.of(this);
    }

    /** {@return where the counters of the volumes come from} */
    public CounterSource counterSource() {
        return CounterSource.of(each(MailDocument.COUNTER_SOURCE, CounterSource.class));
    }

    /**
     * {@return what the log's syncs covered that messages waited for, by size; null when it isn't known}
     */
    public @Nullable List<LogGroups> groups() {
        return LogGroups.sum(each(MailDocument.GROUPS, LogGroups[].class).stream()
                .map(List::of)
                .toList());
    }

    /** {@return the sums of the repeats; null where messages were not compared} */
    public @Nullable Audit audit() {
        return Audit.sum(each(MailDocument.AUDIT, Audit.class));
    }

    /** {@return what the repeats searched; null for other rates} */
    public @Nullable SustainedRate sustainedRate() {
        return SustainedRate.median(each(MailDocument.SUSTAINED_RATE, SustainedRate.class));
    }

    /** {@return the rate as a share of what the log device holds by itself; null where that isn't known} */
    public @Nullable Double logDevicePercent() {
        return MailDocument.known(
                100 * value(Figure.THROUGHPUT_MSGS_PER_S) / row.number(MailDocument.LOG_DEVICE));
    }

    /** {@return the latency at a lower rate; null where it wasn't measured} */
    public @Nullable LatencyAt latencyAt() {
        return row.name(MailDocument.LATENCY_AT, LatencyAt.class);
    }

    /** {@return whether its figures can be trusted, by its repeats and the latency beside} */
    public Validity validity() {
        Set<Reason> reasons = new LinkedHashSet<>();
        Stream.concat(repeats().stream(), failed()).forEach(repeat -> {
            for (Reason reason : repeat.validity().found()) {
                reasons.add(reason.in("repeat " + repeat.repeat()));
            }
        });
        LatencyAt beside = latencyAt();
        if (beside != null && beside.harmsMail()) {
            beside.validity()
                    .found()
                    .forEach(reason -> reasons.add(reason.in("latency at a rate")));
        }
        return Validity.of(List.copyOf(reasons));
    }

    /** {@return of texts that are known the most frequent; null of none} */
    static @Nullable String mostFrequent(List<@Nullable String> texts) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        texts.stream()
                .filter(Objects::nonNull)
                .forEach(text -> counts.merge(text, 1, Integer::sum));
        return counts.entrySet().stream()
                .reduce((one, other) -> other.getValue() > one.getValue() ? other : one)
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** {@return what stands flat among names} */
    private static <T> T flat(Map<String, @Nullable Object> names, Class<T> type) {
        try {
            return JsonFile.readNamed(JsonFile.tree(names), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * One repeat, with what it says beside the figures.
     *
     * @param counted its names, counters, times and samples
     */
    public record Repeat(org.hubmark.bench.kit.document.Repeat counted) {
        /** {@return one that says only why it could not be measured} */
        public static Repeat failed(String id, int number, String reason) {
            return new Repeat(org.hubmark.bench.kit.document.Repeat.counted()
                            .complete(false)
                            .name(MailDocument.REPEAT, number)
                            .name(MailDocument.ID, id)
                            .made())
                    .withFlat(Validity.of(List.of(new Reason(Case.FAILED, reason))));
        }

        /** {@return its number, from 1} */
        public int repeat() {
            return (int) counted.number(MailDocument.REPEAT);
        }

        /** {@return when the measured time began, ISO 8601, UTC} */
        public String startedAt() {
            return counted.name(MailDocument.STARTED_AT);
        }

        /** {@return a figure, or a latency; null when it isn't known} */
        public @Nullable Double get(Column figure) {
            return MailDocument.known(figure.value(counted));
        }

        /** {@return the load before it} */
        public WarmUp warmUp() {
            return flat(counted.names(), WarmUp.class);
        }

        /** {@return what set the pace} */
        public Limiting limiting() {
            return flat(counted.names(), Limiting.class);
        }

        /** {@return whether its figures can be trusted} */
        public Validity validity() {
            return flat(counted.names(), Validity.class);
        }

        /** {@return null where messages were not compared one by one} */
        public @Nullable Audit audit() {
            return counted.name(MailDocument.AUDIT, Audit.class);
        }

        /** {@return what has to be known to read the figures, though they can be trusted} */
        public List<String> notes() {
            return counted.texts(MailDocument.NOTES);
        }

        /** {@return what else the machine did, which is shared with the caller's knowledge} */
        public List<String> disturbances() {
            return counted.texts(MailDocument.DISTURBANCES);
        }

        /** {@return notes and disturbances, in sentences} */
        public List<String> remarks() {
            List<String> all = new ArrayList<>(notes());
            disturbances().forEach(words -> all.add("the machine is shared: " + words));
            return all;
        }

        /** {@return what was used of the machine} */
        public MachineUse machineUse() {
            return new MachineUse(
                    Figure.CPU_PERCENT.value(counted),
                    Figure.STEAL_PERCENT.value(counted),
                    Figure.FOREIGN_CPU_PERCENT.value(counted),
                    Figure.THROTTLED_PERCENT.value(counted));
        }

        /** {@return the same, not valid for one reason more} */
        public Repeat invalid(Reason reason) {
            return withFlat(validity().invalid(List.of(reason)));
        }

        /** {@return the same with more that has to be known to read it} */
        public Repeat noted(List<String> more) {
            return more(MailDocument.NOTES, more);
        }

        /** {@return the same on a machine that did more, with the caller's knowledge} */
        public Repeat disturbed(String words) {
            return more(MailDocument.DISTURBANCES, List.of(words));
        }

        private Repeat more(Name name, List<String> more) {
            return with(
                    name,
                    Stream.concat(counted.texts(name).stream(), more.stream()).toList());
        }

        /** {@return the same with what its scenario is, so that it is a whole row itself} */
        public Repeat of(String id, double sizeKb, Conditions conditions) {
            Double rate = get(Figure.THROUGHPUT_MSGS_PER_S);
            Repeat all = with(MailDocument.ID, id).with(MailDocument.SIZE, sizeKb);
            for (Condition one : MailDocument.OF_REPEATS) {
                all = all.with(Name.note(one.key(), ""), conditions.get(one));
            }
            for (Name end : Spread.ENDS) {
                all = all.with(end, rate);
            }
            return all;
        }

        /** {@return the same with another name} */
        public Repeat with(Name name, @Nullable Object value) {
            return new Repeat(counted.named(name, value));
        }

        private Repeat withFlat(Object parts) {
            Repeat all = this;
            for (Map.Entry<String, @Nullable Object> part :
                    MailDocument.names(parts).entrySet()) {
                all = all.with(Name.note(part.getKey(), ""), part.getValue());
            }
            return all;
        }
    }
}
