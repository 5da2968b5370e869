package org.hubmark.bench.durability.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.page.Charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * cluster-crash.json: what became of the mail of a hub while parts of its cluster failed. A kind whose mail
 * was not compared has no verdict.
 */
public final class ClusterCrashResult {
    public static final Name FAULT = Name.of("kind", "Fault");

    /** Answered with another code; their senders try again. */
    public static final Counter REFUSED = new Counter("refused_msgs");

    /** Deliveries beyond the first, of acknowledged messages. */
    public static final Counter DOUBLE = new Counter("double_msgs");

    /** What broke the promise. */
    public static final Counter BROKEN = new Counter("broken");

    /** A kind of fault, over all its faults. */
    public static final Form VERDICTS = Form.totals(
            "verdicts",
            "Faults",
            List.of(FAULT),
            List.of(
                    Column.of(CrashResult.CRASHES, "", "Faults"),
                    Column.of(CrashResult.ACKNOWLEDGED, "", "Acknowledged"),
                    Column.of(REFUSED, "", "Refused"),
                    Column.of(CrashResult.IN_DOUBT, "", "In doubt"),
                    Column.of(CrashResult.LOST, "", "Lost"),
                    Column.of(DOUBLE, "", "Twice"),
                    Column.of(CrashResult.CORRUPTED, "", "Corrupted"),
                    CrashResult.promiseKept(BROKEN)),
            List.of(CrashResult.FAILURES),
            List.of());

    /** What cluster crash writes. */
    public static final Kind KIND = new Kind(
            "cluster crash",
            "cluster-crash.json",
            List.of(CrashResult.SKIPPED),
            List.of(VERDICTS),
            Set.of(),
            ClusterCrashResult::findings,
            document -> List.of(),
            document -> new Charts(List.of()));

    private ClusterCrashResult() {}

    private static Findings findings(Document document) {
        List<Row> rows = document.table(VERDICTS).rows();
        List<String> failures = new ArrayList<>();
        long faults = 0;
        for (Row row : rows) {
            Repeat total = row.repeats().getFirst();
            faults += (long) total.count(CrashResult.CRASHES);
            total.texts(CrashResult.FAILURES)
                    .forEach(line -> failures.add(row.name(FAULT) + ": " + line));
        }
        return CrashResult.findings(
                "Faults of a cluster",
                rows.isEmpty() ? "" : faults + (faults == 1 ? " fault" : " faults"),
                failures,
                document.texts(CrashResult.SKIPPED),
                List.of());
    }
}
