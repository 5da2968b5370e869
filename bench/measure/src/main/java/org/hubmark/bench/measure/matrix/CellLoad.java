package org.hubmark.bench.measure.matrix;

import org.hubmark.bench.measure.run.HubRequest;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.results.Conditions;

/** Knows how a cell is loaded. */
@FunctionalInterface
public interface CellLoad {
    /** {@return the scenario of a cell, under whatever id and title} */
    ScenarioRequest of(Cell cell, HubRequest hub, Conditions conditions);
}
