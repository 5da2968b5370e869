package org.hubmark.bench.durability.result;

import org.hubmark.bench.kit.document.CaseResult;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.kit.page.Charts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * durability.json: what became of the mail of a server under each kind of crash in each durability class.
 * A kind whose fault was never felt, or found nothing at stake, has no row.
 */
public final class CrashResult {
    public static final Name KIND_OF_CRASH = Name.of("kind", "Kind");
    public static final Name DURABILITY = Name.of("durability", "Class");

    /** Our own hub, or the command that starts another. */
    public static final Name SERVER = Name.of("server", "Server");

    /** They repeat the histories in which the promise was broken. */
    public static final Name SEEDS_OF_FAILURES =
            Name.note("seeds_of_failures", "Seeds of failures");

    /** What broke the promise and how to repeat it, a line each. */
    public static final Name FAILURES = Name.note("failures", "");

    /** What has no row, a line each with the reason. */
    public static final Name SKIPPED = Name.note("skipped", "");

    /** Whether recorded devices ignored flushes, so that a promise had to be broken. */
    public static final Name FLUSHES_IGNORED = Name.note("flushes_ignored", "Flushes ignored");

    /** Seed of the first history that has not begun. */
    public static final Name NEXT_SEED = Name.note("next_seed", "");

    public static final Name TESTED = Name.note("tested_s", "Tested for (s)");

    /** Crashes in which the fault was felt. */
    public static final Counter CRASHES = new Counter("crashes");

    /** Crashes, those among them that were a kill and nothing else. */
    public static final Counter ATTEMPTS = new Counter("attempts");

    /** Messages for which a 250 was read. */
    public static final Counter ACKNOWLEDGED = new Counter("acknowledged_msgs");

    /** Acknowledged messages that were gone and not reported as damaged. */
    public static final Counter LOST = new Counter("lost_msgs");

    /** Copies more than one. */
    public static final Counter DUPLICATED = new Counter("duplicated_msgs");

    /** Messages that came after one that the same connection had sent later. */
    public static final Counter REORDERED = new Counter("reordered_msgs");

    /** Messages whose content was not what had been sent, and that nobody reported. */
    public static final Counter CORRUPTED = new Counter("corrupted_msgs");

    /** Copies that may rightly be there: what was under way at a crash and was sent again. */
    public static final Counter IN_DOUBT = new Counter("in_doubt_msgs");

    /** Crashes after which the server itself reported damage. */
    public static final Counter REPORTED = new Counter("crashes_with_reported_damage");

    /** Crashes that took acknowledged mail, whether or not the class allows it. */
    public static final Counter WITH_LOSS = new Counter("crashes_with_loss");

    /** What is added up. */
    public static final List<Counter> COUNTED = List.of(
            CRASHES,
            ATTEMPTS,
            ACKNOWLEDGED,
            LOST,
            DUPLICATED,
            REORDERED,
            CORRUPTED,
            IN_DOUBT,
            REPORTED,
            WITH_LOSS);

    /** How long before its crash the oldest lost message was acknowledged; not known of none. */
    public static final Counter LOSS_WINDOW_NS = new Counter("loss_window_ns");

    /** Histories in which the promise was broken. */
    public static final Counter BROKEN = new Counter("broken_histories");

    /** How long the server needed to be ready again. */
    public static final Times RECOVERY = new Times("recovery_ns");

    /** A kind in a class, over all its crashes. */
    public static final Form VERDICTS = Form.totals(
            "verdicts",
            "Crashes",
            List.of(KIND_OF_CRASH, DURABILITY, SERVER),
            List.of(
                    Column.of(CRASHES, "", "Crashes"),
                    Column.of(ACKNOWLEDGED, "", "Acknowledged"),
                    Column.of(LOST, "", "Lost"),
                    Column.of(DUPLICATED, "", "Duplicated"),
                    Column.of(REORDERED, "", "Reordered"),
                    Column.of(CORRUPTED, "", "Corrupted"),
                    Column.of(
                            "loss_window_ms",
                            "ms",
                            "Loss window",
                            1,
                            Better.NEITHER,
                            LOSS_WINDOW_NS.over(1e6)),
                    recovery("p50", "Recovery p50", Formula.Place.P50),
                    recovery("max", "Recovery max", Formula.Place.MAX),
                    Column.of(WITH_LOSS, "", "Crashes with loss"),
                    promiseKept(BROKEN)),
            List.of(SEEDS_OF_FAILURES, FAILURES),
            List.of(new Form.Derived(
                    SEEDS_OF_FAILURES,
                    (document, row) -> row.repeats().getFirst().texts(SEEDS_OF_FAILURES))));

    /** What durability writes. */
    public static final Kind KIND = new Kind(
            "durability",
            "durability.json",
            List.of(SKIPPED, FLUSHES_IGNORED, NEXT_SEED, TESTED),
            List.of(VERDICTS),
            Set.of("connections", "ignore-flushes"),
            CrashResult::findings,
            document -> List.of(),
            document -> new Charts(List.of()));

    private CrashResult() {}

    private static Column recovery(String place, String label, Formula.Place at) {
        return Column.of("recovery_ms." + place, "ms", label, 1, Better.NEITHER, RECOVERY.at(at));
    }

    /** {@return the figure that says whether nothing broke a promise} */
    static Column promiseKept(Counter broken) {
        return new Column(
                "promise_kept",
                "",
                "Promise kept",
                0,
                Better.MORE,
                new Column.Definition.AtMost(Column.of(broken, "", "What broke it"), 0));
    }

    private static Findings findings(Document document) {
        List<Row> rows = document.table(VERDICTS).rows();
        List<String> skipped = document.texts(SKIPPED);
        List<String> failures = new ArrayList<>();
        List<CaseResult> cases = new ArrayList<>();
        long crashes = 0;
        for (Row row : rows) {
            Repeat total = row.repeats().getFirst();
            crashes += (long) total.count(CRASHES);
            failures.addAll(total.texts(FAILURES));
            cases.add(verdict(row, total));
        }
        skipped.forEach(line -> cases.add(new CaseResult(line, CaseResult.Status.SKIPPED, line)));
        return findings(
                "Durability",
                rows.isEmpty() ? "" : crashes + (crashes == 1 ? " crash" : " crashes"),
                failures,
                skipped,
                cases);
    }

    /**
     * {@return whether promises were kept}
     *
     * @param tried how much was tried, in words; empty where there is no verdict
     * @param failures what broke a promise
     * @param skipped what there is no verdict of, and why
     */
    static Findings findings(
            String title,
            String tried,
            List<String> failures,
            List<String> skipped,
            List<CaseResult> cases) {
        if (tried.isEmpty()) {
            return new Findings(
                    title,
                    "",
                    Findings.Outcome.NOT_VALID,
                    "no verdict",
                    skipped,
                    List.of(),
                    Map.of(),
                    cases,
                    List.of());
        }
        boolean isKept = failures.isEmpty();
        return new Findings(
                title,
                (isKept ? "Every promise was kept, in " : "A promise was broken, in ") + tried,
                isKept ? Findings.Outcome.GOOD : Findings.Outcome.FAILED,
                isKept ? "promise kept" : "promise broken",
                failures,
                skipped.stream().map(line -> "skipped " + line).toList(),
                Map.of(),
                cases,
                List.of());
    }

    private static CaseResult verdict(Row row, Repeat total) {
        return new CaseResult(
                row.name(DURABILITY) + " " + row.name(KIND_OF_CRASH),
                total.count(BROKEN) == 0 ? CaseResult.Status.PASSED : CaseResult.Status.FAILURE,
                String.format(
                        Locale.ROOT,
                        "promise broken: of %.0f acknowledged messages %.0f were lost and %.0f"
                                + " corrupted; seeds that repeat it: %s",
                        total.count(ACKNOWLEDGED),
                        total.count(LOST),
                        total.count(CORRUPTED),
                        total.texts(SEEDS_OF_FAILURES)));
    }
}
