package org.hubmark.bench.mail.document;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
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
import java.util.function.Function;
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
        return row.counted().stream().map(Repeat::new).toList();
    }

    /** {@return something of each repeat in which it is known} */
    private <T> List<T> each(Function<Repeat, @Nullable T> of) {
        return repeats().stream()
                .map(of)
                .filter(Objects::nonNull)
                .map(one -> Objects.requireNonNull(one))
                .toList();
    }

    /** {@return what set the pace, beside what the log device holds} */
    public Limiting limiting() {
        Ceilings known = ceilings();
        return Limiting.of(each(Repeat::limiting))
                .beside(known == null ? null : known.logDevicePercent());
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
        return CounterSource.of(each(Repeat::counterSource));
    }

    /**
     * {@return what the log's syncs covered that messages waited for, by size; null when it isn't known}
     */
    public @Nullable List<LogGroups> groups() {
        return LogGroups.sum(each(Repeat::groups));
    }

    /** {@return the sums of the repeats, and the oldest message of all; null when it isn't known} */
    public @Nullable OpenAtEnd openAtEnd() {
        return OpenAtEnd.of(each(Repeat::openAtEnd));
    }

    /** {@return the sums of the repeats; null where messages were not compared} */
    public @Nullable Audit audit() {
        return Audit.sum(each(Repeat::audit));
    }

    /** {@return how the clock was found, and how far it went up and down} */
    ClockRate clock() {
        return ClockRate.of(each(Repeat::clock));
    }

    /** {@return what the repeats searched; null for other rates} */
    public @Nullable SustainedRate sustainedRate() {
        int sittings = (int) row.counted().stream()
                .mapToInt(one -> org.hubmark.bench.kit.document.Repeat.sitting(one.counters()))
                .distinct()
                .count();
        return SustainedRate.median(each(Repeat::sustainedRate), sittings);
    }

    /** {@return the ceilings of the machine beside its rate; null when they weren't measured} */
    public @Nullable Ceilings ceilings() {
        return Ceilings.of(
                get(Figure.THROUGHPUT_MSGS_PER_S),
                MailDocument.known(row.number(MailDocument.LOG_DEVICE)));
    }

    /** {@return the latency at a lower rate; null where it wasn't measured} */
    public @Nullable LatencyAt latencyAt() {
        return row.name(MailDocument.LATENCY_AT, LatencyAt.class);
    }

    /** {@return the steps of a rate that changes; a table without rows for other rates} */
    public Table steps() {
        return row.part(MailDocument.STEPS);
    }

    /** {@return whether its figures can be trusted, by its repeats and the latency beside} */
    public Validity validity() {
        Set<Reason> reasons = new LinkedHashSet<>();
        for (Repeat repeat : repeats()) {
            for (Reason reason : repeat.validity().found()) {
                reasons.add(reason.in("repeat " + repeat.repeat()));
            }
        }
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
     * @param counted its names, counters, times, steps and samples
     */
    public record Repeat(org.hubmark.bench.kit.document.Repeat counted) {
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

        ClockRate clock() {
            return flat(counted.names(), ClockRate.class);
        }

        @Nullable
        CounterSource counterSource() {
            return counted.name(MailDocument.COUNTER_SOURCE, CounterSource.class);
        }

        @Nullable
        List<LogGroups> groups() {
            LogGroups[] groups = counted.name(MailDocument.GROUPS, LogGroups[].class);
            return groups == null ? null : List.of(groups);
        }

        /** {@return null when the measured time was broken off} */
        public @Nullable OpenAtEnd openAtEnd() {
            return counted.name(MailDocument.OPEN_AT_END, OpenAtEnd.class);
        }

        /** {@return null where messages were not compared one by one} */
        public @Nullable Audit audit() {
            return counted.name(MailDocument.AUDIT, Audit.class);
        }

        /** {@return the rate that it searched; null for other rates} */
        @Nullable
        SustainedRate sustainedRate() {
            return counted.name(MailDocument.SUSTAINED_RATE, SustainedRate.class);
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

        /** {@return whether other processes took as much CPU as the server or more} */
        boolean isOthers() {
            return counted.count(Counters.FOREIGN_CPU_NS) >= counted.count(Counters.SERVER_CPU_NS);
        }

        /** {@return the same, not valid for one reason more} */
        public Repeat invalid(Reason reason) {
            return withFlat(validity().invalid(List.of(reason)));
        }

        /** {@return the same, before which the driver was warmed up} */
        public Repeat warmedBy(@Nullable DriverWarmth driver) {
            return with(MailDocument.DRIVER_WARMUP, driver);
        }

        /** {@return the same with more that has to be known to read it} */
        public Repeat noted(List<String> more) {
            return with(
                    MailDocument.NOTES,
                    Stream.concat(notes().stream(), more.stream()).toList());
        }

        /** {@return the same on a machine that did more, with the caller's knowledge} */
        public Repeat disturbed(String words) {
            return with(
                    MailDocument.DISTURBANCES,
                    Stream.concat(disturbances().stream(), Stream.of(words)).toList());
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
