package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.mail.meter.Samples;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** Keeps what a session counts, so that another can go on with it. One thread. */
public interface Kept {
    /** {@return what an interrupted session left; null where there was none} */
    @Nullable
    Results earlier();

    /** {@return the repeat of a scenario of that number, counted unless it is there already} */
    Repeat repeat(String scenario, int number, Context.Measurement measurement)
            throws IOException, InterruptedException;

    /** {@return samples for the repeat of a scenario that is counted next} */
    default Series samples(String scenario) throws IOException {
        return new Series(Samples.KEYS);
    }

    /** Takes down what a session knows by now beside its repeats. */
    void known(RunSession.Known known);

    /** {@return one that keeps nothing} */
    static Kept nothing() {
        return new Kept() {
            @Override
            public @Nullable Results earlier() {
                return null;
            }

            @Override
            public Repeat repeat(String scenario, int number, Context.Measurement measurement)
                    throws IOException, InterruptedException {
                return measurement.count();
            }

            @Override
            public void known(RunSession.Known known) {
                // Who asks the session knows it.
            }
        };
    }

    /** {@return what was known of a scenario; null where nothing was} */
    default @Nullable Scenario earlier(String scenario) {
        Results results = earlier();
        return results == null ? null : results.scenario(scenario).orElse(null);
    }

    /** {@return which sitting this is, from 1} */
    default int sitting() {
        return 1;
    }

    /** {@return how many repeats of a scenario there are} */
    default int repeats(String scenario) {
        Scenario known = earlier(scenario);
        return known == null ? 0 : known.repeats().size();
    }
}
