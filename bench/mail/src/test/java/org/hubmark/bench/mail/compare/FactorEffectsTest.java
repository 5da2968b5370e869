package org.hubmark.bench.mail.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hubmark.bench.mail.document.MadeResults.measured;
import static org.hubmark.bench.mail.document.MadeResults.times;
import static org.hubmark.bench.mail.document.MadeResults.with;

import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.FactorEffect;
import org.hubmark.bench.mail.document.Scenario;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Proves on a matrix made by hand that each factor is given its own effect and no other's. */
class FactorEffectsTest {
    /** A device for the log gives a fifth more, no sync three times as much, 57 KB a quarter. */
    @Test
    void eachFactorHasItsOwnEffect() {
        List<FactorEffect> effects = FactorEffects.of(matrix(1));
        assertThat(effects.stream().filter(one -> one.quantity().equals("rate")))
                .extracting(FactorEffect::factor)
                .containsExactly("size", "layout", "durability");
        FactorEffect layout = effect(effects, "rate", "layout");
        assertThat(List.of(layout.baseline(), layout.level(), layout.verdict()))
                .containsExactly("one volume", "log apart", "faster");
        assertThat(layout.ratio()).isCloseTo(1.2, within(1e-9));
        assertThat(layout.cells()).isEqualTo(4);
        // Four pairs know it better than one: 1 % of scatter, 24 repeats.
        Interval interval = Objects.requireNonNull(layout.interval());
        assertThat(interval.low()).isBetween(1.185, 1.195);
        assertThat(interval.high()).isBetween(1.205, 1.215);
        assertThat(effect(effects, "rate", "durability").ratio()).isCloseTo(3, within(1e-9));
        assertThat(effect(effects, "rate", "size").ratio()).isCloseTo(0.25, within(1e-9));
        assertThat(effect(effects, "rate", "size").verdict()).isEqualTo("slower");
        assertThat(effect(effects, "cycles", "layout").verdict()).isEqualTo("equivalent");
    }

    @Test
    void anEffectThatDependsOnAnotherFactorIsTheMeanOfItsPairs() {
        FactorEffect layout = effect(FactorEffects.of(matrix(1.5)), "rate", "layout");
        assertThat(layout.ratio()).isCloseTo(1.2 * Math.sqrt(1.5), within(1e-9));
    }

    /** An emulated disk with its write cache on has a name of its own; asked for first, it is no baseline. */
    @Test
    void theWriteCacheOfAnEmulatedDiskHasAnEffect() {
        List<Scenario> scenarios = new ArrayList<>();
        for (String layout : List.of("one", "apart")) {
            scenarios.add(emulated(layout, "sata-7200-cache", "suppressed", 10));
            scenarios.add(emulated(layout, "sata-7200", "sent", 1));
        }
        List<FactorEffect> effects = FactorEffects.of(scenarios);
        FactorEffect cache = effect(effects, "rate", "flush");
        assertThat(List.of(cache.baseline(), cache.level()))
                .containsExactly("write cache off", "write cache on");
        assertThat(cache.ratio()).isCloseTo(10, within(1e-9));
        assertThat(cache.cells()).isEqualTo(2);
        assertThat(effects).extracting(FactorEffect::factor).doesNotContain("device_profile");
    }

    /** Of 0.04 octets of the queue for each accepted one in one of the two cells. */
    @Test
    void aLayoutIsNotJudgedByMailThatIsNeverWrittenToTheQueue() {
        List<FactorEffect> effects =
                FactorEffects.of(List.of(queued("one", 1.2), queued("apart", 0.04)));
        assertThat(effects).hasSize(2).allSatisfy(layout -> {
            assertThat(layout.ratio()).isNull();
            assertThat(layout.interval()).isNull();
            assertThat(layout.verdict()).isEqualTo(FactorEffects.QUEUE_NOT_WRITTEN);
        });
        assertThat(FactorEffects.of(List.of(queued("one", 1.2), queued("apart", 1.2))))
                .allSatisfy(layout -> assertThat(layout.ratio()).isNotNull());
    }

    private static List<Scenario> matrix(double more) {
        List<Scenario> scenarios = new ArrayList<>();
        for (String layout : List.of("one", "apart")) {
            for (String durability : List.of("synced", "none")) {
                for (int size : List.of(4, 57)) {
                    double factor = (layout.equals("apart") ? 1.2 : 1)
                            * (durability.equals("none") ? 3 : 1)
                            * (size == 57 ? 0.25 : 1)
                            * (layout.equals("apart") && durability.equals("none") ? more : 1);
                    scenarios.add(cell(layout, durability, size, factor));
                }
            }
        }
        return scenarios;
    }

    private static Scenario cell(String layout, String durability, int size, double factor) {
        Scenario scenario = measured(
                size + layout + durability,
                size,
                times(new double[] {1000, 1010, 990}, factor),
                10,
                10.1,
                9.9);
        Conditions conditions = scenario.conditions().with(Condition.LAYOUT, layout);
        return with(scenario, conditions.with(Condition.DURABILITY, durability));
    }

    private static Scenario queued(String layout, double octets) {
        return with(
                cell(layout, "synced", 57, 1),
                counted -> counted.count(Counters.ACCEPTED_BYTES, 1e6)
                        .count(Counters.QUEUE_WRITTEN_BYTES, 1e6 * octets));
    }

    private static Scenario emulated(String layout, String profile, String flush, double factor) {
        Scenario scenario = cell(layout, "synced", 4, factor);
        return with(
                scenario,
                scenario.conditions()
                        .with(Condition.DEVICE_PROFILE, profile)
                        .with(Condition.FLUSH, flush));
    }

    private static FactorEffect effect(List<FactorEffect> effects, String quantity, String factor) {
        return effects.stream()
                .filter(one -> one.quantity().equals(quantity) && one.factor().equals(factor))
                .findFirst()
                .orElseThrow();
    }
}
