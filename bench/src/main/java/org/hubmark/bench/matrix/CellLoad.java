package org.hubmark.bench.matrix;

import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.run.HubRequest;
import org.hubmark.bench.run.ScenarioRequest;

/** Knows how a cell is loaded. */
@FunctionalInterface
public interface CellLoad {
    /** {@return the scenario of a cell, under whatever id and title} */
    ScenarioRequest of(Cell cell, HubRequest hub, Conditions conditions);
}
