package org.hubmark.bench.measure.builds;

import java.util.List;
import java.util.Map;

/**
 * What one build did in one round.
 *
 * @param figures those of its subject, each above 0; empty when the build took nothing
 * @param driverThreadPercent how busy the event loops of the driver were
 * @param invalidReasons why it can't be trusted; none when it is valid
 */
record Round(
        Map<RoundFigure, Double> figures, double driverThreadPercent, List<String> invalidReasons) {
    Round {
        figures = Map.copyOf(figures);
        invalidReasons = List.copyOf(invalidReasons);
    }
}
