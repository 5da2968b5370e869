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
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
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
            QualificationCharts::of);

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

    private static Findings findings(Document document) {
        List<String> notJudged = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        List<String> failed = new ArrayList<>(unsafe(document.provenance().environment()));
        Table caches = document.table(CacheFigures.CACHES);
        if (!caches.rows().isEmpty()) {
            for (Row row : caches.rows()) {
                for (Repeat round : row.repeats()) {
                    String where = "cache " + row.name(CacheFigures.CACHE) + ", round "
                            + round.name(CacheFigures.ROUND);
                    notJudged.addAll(named(where, PhaseVerdict.disturbances(document, round)));
                    warnings.addAll(warnings(document, where, round));
                }
            }
            return findings(
                    "Cache modes compared",
                    compared(caches),
                    failed.isEmpty() ? null : "fail",
                    failed.isEmpty() ? notJudged : failed,
                    warnings);
        }
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
        warnings.addAll(caveats);
        // One reason is enough to fail; to pass takes all phases.
        boolean passes = failed.isEmpty() && notJudged.isEmpty() && isJudged && document.complete();
        String verdict = !failed.isEmpty() ? "fail" : passes ? "pass" : null;
        List<String> reasons = failed.isEmpty() ? notJudged : failed;
        List<String> more = passes ? reached(document) : reasons;
        String words = passes
                ? verdict + PhaseVerdict.beside(PhaseFigures.all(document))
                : failed.isEmpty() ? "not judged" : "fail";
        Object name = document.provenance().settings().get("name");
        return findings(
                (name == null ? "" : name + ": ") + "Storage qualification: " + words,
                words + (more.isEmpty() ? "" : ": " + String.join("; ", more)),
                verdict,
                reasons,
                warnings);
    }

    private static Findings findings(
            String title,
            String answer,
            @Nullable String verdict,
            List<String> reasons,
            List<String> warnings) {
        return new Findings(
                title,
                answer,
                reasons.isEmpty()
                        ? Findings.Outcome.GOOD
                        : verdict == null ? Findings.Outcome.NOT_VALID : Findings.Outcome.NOT_MET,
                verdict,
                reasons,
                warnings,
                Map.of(),
                List.of(),
                List.of());
    }

    private static List<String> named(String where, List<String> reasons) {
        return reasons.stream().map(reason -> where + ": " + reason).toList();
    }

    private static List<String> warnings(Document document, String where, Repeat phase) {
        List<String> warnings = new ArrayList<>(phase.texts(PhaseFigures.NOTES));
        if (PhaseFigures.hasTransactions(phase)) {
            warnings.addAll(phase.complete() ? HostFigures.use(phase).unknowns() : List.of());
            warnings.addAll(
                    PhaseVerdict.isShared(document) ? PhaseVerdict.disturbances(phase) : List.of());
        }
        return named(where, warnings);
    }

    private static List<String> reached(Document document) {
        return document.table(PhaseFigures.PHASES).rows().stream()
                .filter(row -> PhaseFigures.hasTransactions(row.repeat()))
                .map(row -> reached(document, row))
                .toList();
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
