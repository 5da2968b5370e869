package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.TargetProbe;

import java.time.Instant;

/** Makes the messages of a scenario when the server is first known. */
@FunctionalInterface
public interface MessageSource {
    /**
     * Makes them.
     *
     * @param at the time that the messages bear
     * @return the caller's, who closes it
     * @throws org.hubmark.bench.UserError when the server can't take them
     */
    MessageSet make(LoadPlan plan, TargetProbe.Announced server, Instant at);
}
