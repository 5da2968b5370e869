package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.qualify.result.CacheFigures;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.PhaseVerdict;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** qualification.json. */
public final class Qualification {
    /** What qualify writes. */
    public static final Kind KIND = new Kind(
            "qualify",
            "qualification.json",
            Stream.concat(
                            Stream.of(PhaseVerdict.TARGET_IOPS),
                            PhaseVerdict.LIMITS.values().stream())
                    .toList(),
            List.of(PhaseFigures.PHASES, CacheFigures.CACHES),
            Set.of(
                    "cache-max",
                    "cache-min",
                    "cache-mode",
                    "copies",
                    "database-size",
                    "databases",
                    "iops-per-user",
                    "lazy-commits",
                    "loop",
                    "mailbox",
                    "maintenance",
                    "mix",
                    "recovery-log",
                    "target-iops",
                    "threads",
                    "users"),
            Qualification::findings,
            EsrpSections::of,
            CacheCharts::of);

    private Qualification() {}

    /** {@return why the log volumes of a machine are not safe: a reason each} */
    public static List<String> unsafe(Environment machine) {
        return machine.volumes().stream()
                .filter(volume -> volume.role().equals("log"))
                .filter(volume -> SyncReliability.Grade.NOT_SAFE
                        .text()
                        .equals(volume.sync().syncVerdict()))
                .map(volume -> "UNSAFE: what is synced on the log volume " + volume.path()
                        + " may be lost when the power fails: " + volume.sync().syncReason())
                .toList();
    }

    /** One reason is enough to fail; to pass takes all phases. */
    private static Findings findings(Document document) {
        List<String> failed = new ArrayList<>();
        List<String> notJudged = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        List<String> caveats = new ArrayList<>();
        boolean isJudged = false;
        for (Row row : document.table(PhaseFigures.PHASES).rows()) {
            String phase = row.name(PhaseFigures.PHASE);
            PhaseVerdict verdict = PhaseVerdict.of(document, row);
            isJudged |= verdict.passes() != null;
            (verdict.passes() == null ? notJudged : failed).addAll(named(phase, verdict.reasons()));
            caveats.addAll(named(phase, verdict.caveats()));
            warnings.addAll(warnings(document, phase, row.repeat()));
        }
        for (Row row : document.table(CacheFigures.CACHES).rows()) {
            for (Repeat round : row.repeats()) {
                String where = "cache " + row.name(CacheFigures.CACHE) + ", round "
                        + round.name(CacheFigures.ROUND);
                notJudged.addAll(named(where, PhaseVerdict.disturbances(document, round)));
                warnings.addAll(warnings(document, where, round));
            }
        }
        failed.addAll(unsafe(document.provenance().environment()));
        String verdict = !failed.isEmpty()
                ? "fail"
                : isJudged && document.complete() && notJudged.isEmpty() ? "pass" : null;
        String words = verdict == null || !failed.isEmpty()
                ? verdict
                : verdict + PhaseVerdict.beside(PhaseFigures.all(document));
        warnings.addAll(caveats);
        Findings.Outcome outcome = !failed.isEmpty()
                ? Findings.Outcome.NOT_MET
                : notJudged.isEmpty() ? Findings.Outcome.GOOD : Findings.Outcome.NOT_VALID;
        return new Findings(
                title(document, words == null ? "no verdict" : words),
                answer(document, words, failed, notJudged),
                outcome,
                verdict,
                failed.isEmpty() ? notJudged : failed,
                warnings,
                Map.of(),
                List.of(),
                List.of());
    }

    private static List<String> named(String where, List<String> reasons) {
        return reasons.stream().map(reason -> where + ": " + reason).toList();
    }

    private static List<String> warnings(Document document, String where, Repeat phase) {
        List<String> warnings = new ArrayList<>();
        warnings.addAll(named(where, phase.texts(PhaseFigures.NOTES)));
        if (PhaseFigures.hasTransactions(phase) && phase.complete()) {
            warnings.addAll(named(where, HostFigures.use(phase).unknowns()));
        }
        if (PhaseVerdict.isShared(document) && PhaseFigures.hasTransactions(phase)) {
            warnings.addAll(named(where, PhaseVerdict.disturbances(phase)));
        }
        return warnings;
    }

    private static boolean comparesCaches(Document document) {
        return !document.table(CacheFigures.CACHES).rows().isEmpty();
    }

    private static String title(Document document, String verdict) {
        if (comparesCaches(document)) {
            return "Cache modes compared";
        }
        Object name = document.provenance().settings().get("name");
        return (name == null ? "" : name + ": ") + "Storage qualification: " + verdict;
    }

    private static String answer(
            Document document,
            @Nullable String verdict,
            List<String> failed,
            List<String> notJudged) {
        if (comparesCaches(document)) {
            return compared(document.table(CacheFigures.CACHES));
        }
        List<String> more = verdict == null ? notJudged : failed;
        if (verdict != null && failed.isEmpty()) {
            more = document.table(PhaseFigures.PHASES).rows().stream()
                    .filter(row -> PhaseFigures.hasTransactions(row.repeat()))
                    .map(row -> reached(document, row))
                    .toList();
        }
        return (verdict == null ? "not judged" : verdict)
                + (more.isEmpty() ? "" : ": " + String.join("; ", more));
    }

    private static String reached(Document document, Row phase) {
        return String.format(
                Locale.ROOT,
                "%s %.1f database reads and writes a second of %s, in the slowest instance"
                        + " %s ms a read and %s ms a log write",
                phase.name(PhaseFigures.PHASE),
                PhaseFigures.ACHIEVED.value(phase.repeat()),
                Tables.number(PhaseVerdict.number(document, PhaseVerdict.TARGET_IOPS)),
                slowest(phase.repeat(), InstanceFigures.READ_LATENCY),
                slowest(phase.repeat(), InstanceFigures.LOG_LATENCY));
    }

    private static String slowest(Repeat phase, Column column) {
        return Tables.number(phase.parts(InstanceFigures.INSTANCES).stream()
                .mapToDouble(column::value)
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN));
    }

    private static String compared(Table caches) {
        Row without = caches.rows().getFirst();
        String first = without.name(CacheFigures.CACHE);
        String hits = "; with cache " + first + ", "
                + caches.text(without, CacheFigures.CACHE_HITS)
                + " % of the reads were in memory";
        return caches.rows().stream()
                .skip(1)
                .map(row -> "cache " + row.name(CacheFigures.CACHE) + ": "
                        + caches.text(row, CacheFigures.AGAINST_FIRST.getFirst())
                        + " times the database I/O of cache " + first)
                .collect(Collectors.joining("; ", "", hits));
    }
}
