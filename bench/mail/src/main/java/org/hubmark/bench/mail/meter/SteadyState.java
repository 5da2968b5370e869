package org.hubmark.bench.mail.meter;

import org.hipparchus.stat.regression.SimpleRegression;
import org.hubmark.bench.load.MessageCost;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.mail.document.WarmUp.Drift;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tells when a load is steady: the rate does not drift, and a message costs the server what it cost
 * before. The last is there for a fixed rate, which is kept long before the server's code is compiled.
 * That a rate does not drift has to be shown, by a test of equivalence: a drift that hides in the
 * scatter does not pass. A load is not steady only where all of the drift's interval is too much;
 * between the two it can't be told. It is asked at times that are settled beforehand, and each question
 * takes its share of the risk. docs/measurement.md states the test. One thread.
 */
final class SteadyState {
    private static final Duration SAMPLE = MessageCost.SAMPLE;

    /** The least that is looked at: 5 s. Shorter, the steps in which a JVM compiles look like plateaus. */
    static final int SAMPLES_MIN = 10;

    /** By how much the second half may differ from the first in CPU time a message. */
    static final double COST_CHANGE_MAX = 0.10;

    /**
     * Risk that a load passes whose rate drifts by more, over all tests together. The last test,
     * which has the most data, has half of it; the others share the rest.
     */
    static final double RISK = 0.05;

    /** 7 s, after which a warm server's load is measured as it is. */
    private static final int SAMPLES_ENOUGH = 14;

    /** From question to question there are so many times as many samples. */
    private static final double GROWTH = 1.4;

    /** What is looked at: the latest two thirds of the load so far. */
    private static final double LOOKED_AT = 2.0 / 3;

    private final List<Integer> questions = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final MessageCost cost = new MessageCost(ProcessCpu.TICK_NANOS);

    /**
     * Counters of a sample.
     *
     * @param seconds its length
     * @param messages accepted in it
     * @param serverCpuNanos CPU time of the server in it, or null when it isn't known
     */
    record Sample(double seconds, long messages, @Nullable Long serverCpuNanos) {
        double rate() {
            return messages / seconds;
        }
    }

    /**
     * An answer.
     *
     * @param steady null when it can't be told
     * @param reason why it isn't steady, or isn't known to be, with the figures; null when it is
     * @param drift of the rate; null where there is too little to look at
     */
    record Answer(
            @Nullable Boolean steady,
            @Nullable String reason,
            @Nullable Drift drift) {}

    /**
     * Settles when it is asked.
     *
     * @param earliest the first time, or once there is enough to look at
     * @param latest the last time
     */
    SteadyState(Duration earliest, Duration latest) {
        int last = Math.toIntExact(latest.dividedBy(SAMPLE));
        double count =
                Math.max(SAMPLES_MIN, Math.ceil((double) earliest.toNanos() / SAMPLE.toNanos()));
        for (; count < last; count = Math.ceil(count * GROWTH)) {
            questions.add((int) count);
        }
        if (last >= SAMPLES_MIN) {
            questions.add(last);
        }
    }

    /** Adds the next one. */
    void add(Sample sample) {
        samples.add(sample);
        cost.add(sample.messages(), sample.serverCpuNanos());
    }

    /** {@return whether it is time to ask} */
    boolean isDue() {
        return questions.contains(samples.size());
    }

    /** {@return the answer to the last question, whatever there is to look at: the time is over} */
    Answer atLast() {
        return answer(RISK / 2);
    }

    /** {@return the answer to one question before the last} */
    Answer answer() {
        return answer(RISK / 2 / Math.max(1, questions.size() - 1));
    }

    /**
     * {@return whether the server is warm and more load is not likely to change an answer: at once where the
     * load is not steady, after 7 s where that can't be told}
     */
    boolean isEnough(Answer answer) {
        return isWarm() && (answer.steady() != null || samples.size() >= SAMPLES_ENOUGH);
    }

    /**
     * {@return whether a message costs the server no less than two seconds and four seconds before, so that its
     * code is compiled; false where that isn't known}
     */
    boolean isWarm() {
        return Boolean.TRUE.equals(cost.isLevel(3));
    }

    private Answer answer(double risk) {
        if (samples.size() < SAMPLES_MIN) {
            return new Answer(
                    null,
                    "the warm-up was shorter than the "
                            + SAMPLE.multipliedBy(SAMPLES_MIN).toSeconds()
                            + " s that the test of steadiness looks at",
                    null);
        }
        int count = Math.max(SAMPLES_MIN, (int) Math.round(LOOKED_AT * samples.size()));
        List<Sample> latest = samples.subList(samples.size() - count, samples.size());
        double messages = latest.stream().mapToLong(Sample::messages).sum();
        if (messages == 0) {
            return new Answer(false, "nothing was accepted", null);
        }
        SimpleRegression line = new SimpleRegression();
        latest.forEach(sample -> line.addData((double) line.getN(), sample.rate()));
        double mean = messages / latest.stream().mapToDouble(Sample::seconds).sum();
        Drift drift = drift(line, mean, risk);
        double change = costChange(count);
        Boolean steady = drift.steady();
        if (Math.abs(change) > COST_CHANGE_MAX && !Boolean.FALSE.equals(steady)) {
            return new Answer(
                    null,
                    String.format(
                            Locale.ROOT,
                            "the server's CPU time a message changed by %+.1f%% (at most %.0f%%)",
                            100 * change,
                            100 * COST_CHANGE_MAX),
                    drift);
        }
        return new Answer(steady, Boolean.TRUE.equals(steady) ? null : drift.words(), drift);
    }

    private static Drift drift(SimpleRegression line, double mean, double risk) {
        LineChange change = LineChange.of(line, line.getN() - 1.0, risk, 1);
        return new Drift(
                100 * change.size() / mean,
                100 * change.reach() / mean,
                SAMPLE.toMillis() / 1e3 * line.getN());
    }

    /**
     * {@return by how much of itself a message's CPU time grew from the first half of the latest samples to the
     * second; NaN where the kernel's clock is too coarse for so little of it, or that isn't known}
     */
    private double costChange(int latest) {
        int last = samples.size();
        int middle = last - latest / 2;
        return cost.isSeen(last - latest, middle, COST_CHANGE_MAX)
                ? cost.of(middle, last) / cost.of(last - latest, middle) - 1
                : Double.NaN;
    }
}
