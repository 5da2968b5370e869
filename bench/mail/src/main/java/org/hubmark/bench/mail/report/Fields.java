package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Audit;
import org.hubmark.bench.mail.document.Ceilings;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.OpenAtEnd;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Spread;
import org.hubmark.bench.mail.document.SustainedRate;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** All that the report shows of scenarios. */
final class Fields {
    private static final Map<Column, Field> OF_COLUMNS = new ConcurrentHashMap<>();

    static final Field LIMIT =
            Field.read("limiting_resource", scenario -> scenario.limiting().limitingResource());
    static final Field SIZE = Field.read("message_size_kb", Scenario::messageSizeKb);
    static final Field VALID =
            Field.read("valid", scenario -> scenario.validity().valid());
    static final Field STEADY = Field.read("steady", Marks::steady);
    static final Field UNSAFE =
            Field.read("unsafe", scenario -> scenario.conditions().safety().unsafe());
    static final Field RATE = of(Figure.THROUGHPUT_MSGS_PER_S);
    static final Field COST = of(Figure.CPU_COST_MCYCLES_PER_MSG);
    static final Field PROCESS_COST = of(Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG);
    static final Field LOG_WRITES = of(Figure.LOG_WRITES_PER_MSG);
    static final Field QUEUE_WRITES = of(Figure.QUEUE_WRITES_PER_MSG);
    static final Field P99 = of(Figure.ACCEPT_P99);
    static final Field SUSTAINED = searched("msgs_per_s", SustainedRate::msgsPerS);
    static final Field METRIC = searched("metric", SustainedRate::metric);
    static final Field SUSTAINED_95 =
            searched("95", "value", SustainedRate::at95Percent, Estimate::value);
    static final Field SUSTAINED_95_LOW = searched(
            "95",
            "range.low",
            SustainedRate::at95Percent,
            estimate ->
                    estimate.range() == null ? null : (Double) estimate.range().low());
    static final Field SUSTAINED_95_HIGH = searched(
            "95",
            "range.high",
            SustainedRate::at95Percent,
            estimate ->
                    estimate.range() == null ? null : (Double) estimate.range().high());
    static final Field SUSTAINED_50 =
            searched("50", "value", SustainedRate::at50Percent, Estimate::value);

    static final Field RATE_MEAN = new Field(
            "throughput_geometric_mean_msgs_per_s",
            scenario -> scenario.spread().throughputGeometricMeanMsgsPerS(),
            RATE.ofRepeat(),
            null);
    static final Field COST_MEAN = new Field(
            "cost_geometric_mean_mcycles_per_msg",
            scenario -> scenario.spread().costGeometricMeanMcyclesPerMsg(),
            COST.ofRepeat(),
            null);
    static final Field RATE_LOW =
            end("throughput_ci95_msgs_per_s.low", Figure.THROUGHPUT_MSGS_PER_S, false);
    static final Field RATE_HIGH =
            end("throughput_ci95_msgs_per_s.high", Figure.THROUGHPUT_MSGS_PER_S, true);
    static final Field COST_LOW =
            end("cost_ci95_mcycles_per_msg.low", Figure.CPU_COST_MCYCLES_PER_MSG, false);
    static final Field COST_HIGH =
            end("cost_ci95_mcycles_per_msg.high", Figure.CPU_COST_MCYCLES_PER_MSG, true);
    static final Field TRIMMED = rates(
            "throughput_trimmed_mean_msgs_per_s", Spread::throughputTrimmedMeanMsgsPerS, null);
    static final Field RATE_MIN = rates(
            "throughput_msgs_per_s_min",
            Spread::throughputMsgsPerSMin,
            Spread::throughputMsgsPerSMax);
    static final Field RATE_MAX = rates(
            "throughput_msgs_per_s_max",
            Spread::throughputMsgsPerSMax,
            Spread::throughputMsgsPerSMin);

    static final Field LOG_DEVICE = ceiling("log_device_msgs_per_s", Ceilings::logDeviceMsgsPerS);
    static final Field LOG_DEVICE_PERCENT =
            ceiling("log_device_percent", Ceilings::logDevicePercent);

    static final Field PERCENT_BESIDE =
            Field.read("latency_at.percent", beside(LatencyAt::percent));
    static final Field ASKED_BESIDE =
            Field.read("latency_at.rate_msgs_per_s", beside(LatencyAt::rateMsgsPerS));
    static final Field P99_BESIDE = beside(Figure.ACCEPT_P99);

    private static final Map<String, Field> BY_KEY = new LinkedHashMap<>();

    static {
        Stream.concat(
                        MailDocument.SCENARIOS.columns().stream().map(Fields::of),
                        Stream.of(LIMIT, SIZE))
                .forEach(field -> BY_KEY.put(field.key(), field));
    }

    private Fields() {}

    /** {@return a figure of the catalogue, or a latency} */
    static Field of(Column column) {
        return OF_COLUMNS.computeIfAbsent(column, Field::of);
    }

    /** {@return one that the published study has, by its key} */
    static Field named(String key) {
        return Objects.requireNonNull(BY_KEY.get(key), key);
    }

    static Field of(Condition condition) {
        return Field.read(condition.key(), scenario -> {
            Object value = scenario.conditions().get(condition);
            return condition == Condition.FLUSH
                    ? condition.word(value).map(condition::beside).orElse(null)
                    : value;
        });
    }

    /** {@return one of the latency at a rate beside, which isn't shown where it isn't valid} */
    static Field beside(Column column) {
        return Field.read("latency_at." + column.key(), beside(latency -> latency.get(column)));
    }

    private static Function<Scenario, @Nullable Object> beside(
            Function<LatencyAt, @Nullable Double> figure) {
        return scenario -> {
            LatencyAt latency = scenario.latencyAt();
            return latency == null ? null : figure.apply(latency);
        };
    }

    private static Field searched(
            String percent,
            String place,
            Function<SustainedRate, @Nullable Estimate> rate,
            Function<Estimate, @Nullable Double> of) {
        return searched("rate_at_" + percent + "_percent_msgs_per_s." + place, found -> {
            Estimate estimate = rate.apply(found);
            return estimate == null ? null : of.apply(estimate);
        });
    }

    private static Field searched(String key, Function<SustainedRate, @Nullable Object> of) {
        return Field.read("sustained_rate." + key, scenario -> {
            SustainedRate found = scenario.sustainedRate();
            return found == null ? null : of.apply(found);
        });
    }

    private static Field end(String key, Column column, boolean high) {
        return new Field(
                key,
                scenario -> {
                    boolean ofRate = column.equals(Figure.THROUGHPUT_MSGS_PER_S);
                    if (ofRate && scenario.rateAsked()) {
                        return null;
                    }
                    Interval interval = ofRate
                            ? scenario.spread().throughputCi95MsgsPerS()
                            : scenario.spread().costCi95McyclesPerMsg();
                    return interval == null
                            ? null
                            : (Double) (high ? interval.high() : interval.low());
                },
                repeat -> repeat.get(column),
                null);
    }

    private static Field rates(
            String key,
            Function<Spread, @Nullable Double> value,
            @Nullable Function<Spread, @Nullable Double> otherEnd) {
        return new Field(
                key,
                scenario -> value.apply(scenario.spread()),
                RATE.ofRepeat(),
                otherEnd == null ? null : scenario -> otherEnd.apply(scenario.spread()));
    }

    private static Field ceiling(String key, Function<Ceilings, @Nullable Double> of) {
        return Field.read("ceilings." + key, scenario -> {
            Ceilings ceilings = scenario.ceilings();
            return ceilings == null ? null : of.apply(ceilings);
        });
    }

    static Field openAtEnd(String key, Function<OpenAtEnd, @Nullable Number> of) {
        return Field.read("open_at_end." + key, scenario -> {
            OpenAtEnd open = scenario.openAtEnd();
            return open == null ? null : of.apply(open);
        });
    }

    static Field audit(String key, Function<Audit, @Nullable Number> of) {
        return Field.read("audit." + key, scenario -> {
            Audit audit = scenario.audit();
            return audit == null ? null : of.apply(audit);
        });
    }
}
