package org.hubmark.bench.scale.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.scale.result.PriceResults;
import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The price of replication as a table. */
public final class PriceTable {
    private PriceTable() {}

    /** {@return a row a queue and size} */
    public static Block.Grid of(PriceResults results) {
        List<List<String>> rows = new ArrayList<>();
        for (PriceResults.Row row : results.rows()) {
            rows.add(List.of(
                    ByteSize.format(row.sizeBytes()),
                    row.queue().text(),
                    cell(row.throughputMsgsPerS(), 0),
                    cell(row.sendLatencyP50Ms(), 1),
                    cell(row.sendLatencyP99Ms(), 1),
                    cell(row.hubCpuUsPerMsg(), 0),
                    cell(row.brokerCpuUsPerMsg(), 0),
                    cell(row.bookieCpuUsPerMsg(), 0),
                    cell(row.writtenPerOctet(), 1),
                    cell(row.sentPerOctet(), 1)));
        }
        return new Block.Grid(
                "The price of replication: medians, with the least and the largest of the rounds",
                List.of(
                        "Size",
                        "Queue",
                        "Messages/s",
                        "p50 (ms)",
                        "p99 (ms)",
                        "Hub CPU (us/msg)",
                        "Brokers CPU",
                        "Bookies CPU",
                        "Written per octet",
                        "Sent per octet"),
                rows);
    }

    private static String cell(PriceResults.@Nullable Spread spread, int decimals) {
        if (spread == null) {
            return Cells.UNKNOWN;
        }
        String median = text(spread.median(), decimals);
        String min = text(spread.min(), decimals);
        String max = text(spread.max(), decimals);
        return min.equals(max) ? median : median + " (" + min + " to " + max + ")";
    }

    private static String text(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
