package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.results.Conditions;
import org.jspecify.annotations.Nullable;

/**
 * One scenario to measure.
 *
 * @param id unique in the run; the name of its .hlog too
 * @param title for the progress line
 * @param plan of the load; its target counts only where no hub is to be started
 * @param messages what is sent
 * @param hub to start, or null to load the plan's target
 * @param conditions as far as they are known before; what the volumes tell is added where it is null
 */
public record ScenarioRequest(
        String id,
        String title,
        LoadPlan plan,
        MessageSource messages,
        @Nullable HubRequest hub,
        Conditions conditions) {}
