package org.hubmark.bench.results.report;

import java.util.List;

/**
 * A published study measured again, ready to be drawn: in a report it takes the place of the study's
 * plain table.
 *
 * @param tables ours and the published columns side by side
 * @param limits what limits each case, and why that is not what was published; a sentence or more
 *     each
 * @param ratios of the throughputs, ours beside the published
 * @param remarks what must be known to read them
 */
public record Replay(
        List<Table> tables, List<String> limits, Sheet.Grid ratios, List<String> remarks) {
    /** Copies the lists. */
    public Replay {
        tables = List.copyOf(tables);
        limits = List.copyOf(limits);
        remarks = List.copyOf(remarks);
    }
}
