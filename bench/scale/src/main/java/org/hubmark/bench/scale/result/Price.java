package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.check.MachineFindings;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.page.Charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * price.json: what is counted of each queue under load with messages of each size, in each round, and the
 * figures that are made of it. The counters are those of {@link ScaleOut}, of all processes together.
 */
public final class Price {
    public static final Name QUEUE = Name.of("queue", "Queue");
    public static final Name SIZE = Name.of("size_bytes", "Size (octets)");
    public static final Name ROUND = Name.note("round", "Round");

    /** Octets of content that were accepted. */
    public static final Counter ACCEPTED_BYTES = new Counter("accepted_bytes");

    /** A queue with a size each, over the rounds. */
    public static final Form ROWS = new Form(
            "rows",
            "The price of replication",
            "'Written' counts the octets that all processes had sent to storage, and 'sent' those"
                    + " over links, each once; both for each octet of accepted content.",
            List.of(QUEUE, SIZE),
            columns(),
            Estimate.Rule.MEDIAN,
            "runs",
            List.of(ROUND, ScaleOut.REFUSAL, MachineMeter.OTHERS),
            List.of());

    /** What cluster price writes. */
    public static final Kind KIND = new Kind(
            "cluster price",
            "price.json",
            List.of(),
            List.of(ROWS),
            Set.of("connections"),
            Price::findings,
            document -> List.of(),
            document -> new Charts(List.of()));

    private Price() {}

    private static List<Column> columns() {
        return Stream.of(
                        List.of(ScaleOut.THROUGHPUT),
                        Column.latencies("send_latency_ms", "Send", ScaleOut.SEND),
                        List.of(
                                cpu("hub", "Hub", ScaleOut.HUB_CPU_NS, Better.LESS),
                                cpu("broker", "Brokers", ScaleOut.BROKER_CPU_NS, Better.NEITHER),
                                cpu("bookie", "Bookies", ScaleOut.BOOKIE_CPU_NS, Better.NEITHER),
                                perOctet("written", "Written", ScaleOut.WRITTEN_BYTES),
                                perOctet("sent", "Sent", ScaleOut.SENT_BYTES),
                                Column.of(ScaleOut.ACCEPTED, "", "Accepted"),
                                Column.of(ScaleOut.REFUSED, "", "Refused"),
                                Column.of(ScaleOut.FAILED, "", "Failed")),
                        MachineMeter.COLUMNS)
                .flatMap(List::stream)
                .toList();
    }

    private static Column cpu(String key, String who, Formula nanos, Better better) {
        return Column.of(
                key + "_cpu_us_per_msg",
                "us/msg",
                "CPU, " + who,
                0,
                better,
                nanos.over(1e3).over(ScaleOut.ACCEPTED));
    }

    private static Column perOctet(String key, String label, Formula bytes) {
        return Column.of(
                key + "_per_octet",
                "octets/octet",
                label,
                1,
                Better.NEITHER,
                bytes.over(ACCEPTED_BYTES));
    }

    private static Findings findings(Document document) {
        List<String> reasons = new ArrayList<>();
        List<MachineFindings.One> machines = new ArrayList<>();
        for (Row row : document.table(ROWS).rows()) {
            for (Repeat run : row.repeats()) {
                String where = row.name(QUEUE) + ", " + row.name(SIZE) + " octets, round "
                        + run.name(ROUND);
                reasons.addAll(ScaleOut.faults(where, run));
                machines.add(MachineMeter.found(where, run));
            }
        }
        MachineFindings machine =
                MachineFindings.of(machines, document.provenance().onSharedMachine());
        reasons.addAll(machine.reasons());
        return Findings.of("The price of replication", "", reasons, machine.warnings(), Map.of());
    }
}
