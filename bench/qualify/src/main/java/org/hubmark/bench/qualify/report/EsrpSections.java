package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Platform;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a report has beside its tables, in the order of the source, the published figures beside ours. */
record EsrpSections(Document document) {
    private static final double GIBIBYTE = 1 << 30;

    /** What the databases are kept by. */
    static final String ENGINE = "a page store with update in place";

    private static final Repeat NOT_RUN = Repeat.counted().made();

    static List<Section> of(Document document) {
        EsrpSections made = new EsrpSections(document);
        List<Section> sections = new ArrayList<>(made.solution());
        sections.add(
                section(
                        "Disclaimer",
                        new Block.Text(
                                "This is a qualification: it shows whether this storage is fast enough for one"
                                        + " load. It is not a benchmark, and its results must not be used to rank"
                                        + " vendors or solutions. The engine is "
                                        + ENGINE
                                        + ", not ESE, so the published figures are shown for orientation, not for comparison.")));
        if (!document.table(CacheFigures.CACHES).rows().isEmpty()) {
            sections.add(section("Published pairs", pairs()));
            return sections;
        }
        sections.add(section("Targeted customer profile", made.profile()));
        sections.add(section("Server", made.server()));
        sections.add(StorageSection.of(document));
        sections.add(new Section(2, "Test results summary", made.summary()));
        sections.addAll(PhaseSections.of(document));
        sections.add(section("Conclusion", made.conclusion()));
        return sections;
    }

    private static Section section(String title, Block block) {
        return new Section(2, title, List.of(block));
    }

    /** {@return the figures of a phase, which unfold, by their keys} */
    static Map<String, @Nullable Object> figures(Document document, Repeat phase) {
        Map<String, @Nullable Object> facts = new HashMap<>();
        PhaseFigures.PHASES
                .columns()
                .forEach(column -> facts.put(column.key(), Tables.figure(document, phase, column)));
        return facts;
    }

    private Map<String, @Nullable Object> settings() {
        return document.provenance().settings();
    }

    /** {@return what the storage is good for, by the load that it had} */
    private Block conclusion() {
        String verdict = Qualification.KIND.findings().apply(document).verdict();
        Object users = settings().get("users");
        return new Block.Text((verdict == null
                        ? "This run has no verdict on the storage under "
                        : verdict.equals("pass")
                                ? "The storage was fast enough for "
                                : "The storage was not fast enough for ")
                + (users == null
                        ? ""
                        : Tables.text(users) + " mailboxes at "
                                + Tables.text(settings().get("iops-per-user"))
                                + " database reads and writes a second each, ")
                + Tables.number(PhaseVerdict.number(document, PhaseVerdict.TARGET_IOPS))
                + " in all. The result holds for this load, this machine and these volumes only.");
    }

    /** {@return what the settings say of the solution; nothing where they say nothing} */
    private List<Section> solution() {
        List<Block.Fact> facts = Stream.of("Name", "Description", "Contact")
                .filter(label -> settings().get(label.toLowerCase(Locale.ROOT)) != null)
                .map(label -> new Block.Fact(
                        label, Tables.text(settings().get(label.toLowerCase(Locale.ROOT)))))
                .toList();
        return facts.isEmpty() ? List.of() : List.of(section("Solution", new Block.Facts(facts)));
    }

    /** {@return the pairs of the source, in the rows by which caches are compared} */
    private static Block pairs() {
        List<String> headings = new ArrayList<>(List.of("Row"));
        List<List<String>> rows = new ArrayList<>();
        CacheFigures.PUBLISHED.forEach(
                column -> rows.add(new ArrayList<>(List.of(column.heading()))));
        for (PublishedPairs.Configuration pair : PublishedPairs.TR_3766.configurations()) {
            PublishedPairs.Results results = pair.results();
            String storage = String.format(
                    Locale.ROOT, "%,.0f users, %s, ", pair.users(), pair.disks().type());
            headings.addAll(List.of(storage + "without", storage + "with", "improvement (%)"));
            for (int i = 0; i < rows.size(); i++) {
                String key = CacheFigures.PUBLISHED.get(i).key().replace("rows.", "");
                rows.get(i).add(Tables.published(results.pamDisabled().get(key)));
                rows.get(i).add(Tables.published(results.pamEnabled().get(key)));
                rows.get(i).add(Tables.published(results.improvementPercent().get(key)));
            }
        }
        return new Block.Grid(
                "NetApp TR-3766: a read cache for metadata on and off, in the storage and behind"
                        + " where reads are counted; other storage and another engine",
                headings,
                rows);
    }

    private Block profile() {
        Map<String, @Nullable Object> facts = new HashMap<>(settings());
        facts.computeIfPresent("iops-per-user", (name, value) -> Tables.text(value));
        facts.computeIfPresent("maintenance", (name, value) -> value.equals("on"));
        facts.put("mailbox_mb", Tables.mebibytes(settings().get("mailbox")));
        facts.put("hosts", 1);
        if (facts.get("users") instanceof Number users
                && facts.get("databases") instanceof Number databases) {
            facts.put("mailboxes_per_host", users);
            facts.put("mailboxes_per_database", users.doubleValue() / databases.doubleValue());
        }
        return EsrpForm.grid("Targeted customer profile", EsrpForm.FORM.profile(), facts);
    }

    private Block server() {
        Environment machine = document.provenance().environment();
        Map<String, @Nullable Object> facts = new HashMap<>();
        Platform platform =
                machine.disclosure() == null ? null : machine.disclosure().platform();
        if (platform != null) {
            facts.put("platform", joined(platform.vendor(), platform.product()));
            facts.put("firmware", platform.firmware());
            facts.put(
                    "bios",
                    joined(platform.biosVendor(), platform.biosVersion(), platform.biosDate()));
        }
        Long memory = machine.memoryBytes();
        facts.put("cpu", machine.processor().cpuModel());
        facts.put("cores", machine.processor().logicalCores());
        facts.put("memory_gb", memory == null ? null : (Double) (memory / GIBIBYTE));
        facts.put("engine", ENGINE + ", hubmark " + document.provenance().tool().version());
        facts.put("os", machine.software().os());
        facts.put("kernel", machine.software().kernel());
        return EsrpForm.grid("Server", EsrpForm.FORM.server(), facts);
    }

    private static @Nullable String joined(@Nullable String... facts) {
        String all = Stream.of(facts).filter(Objects::nonNull).collect(Collectors.joining(" "));
        return all.isEmpty() ? null : all;
    }

    private List<Block> summary() {
        Map<String, @Nullable Object> facts = figures(
                document,
                Phase.loads(document).stream().map(Row::repeat).findFirst().orElse(NOT_RUN));
        facts.put("errors", errors());
        for (Phase phase : Phase.values()) {
            Optional<Row> row = phase.row(document);
            facts.put(phase + "_errors", row.map(this::errors).orElse(null));
            Repeat counts = row.map(Row::repeat).orElse(NOT_RUN);
            phase.part()
                    .forEach(part -> part.totals().forEach(total -> {
                        double value = total.value(counts);
                        facts.put(total.key(), value);
                        facts.put(
                                total.key() + "/database",
                                value / counts.parts(part.form()).size());
                    }));
        }
        return List.of(
                EsrpForm.grid("Reliability", EsrpForm.FORM.reliability(), facts),
                EsrpForm.grid(
                        "Storage performance: database and log I/O",
                        EsrpForm.FORM.performance(),
                        facts),
                EsrpForm.grid(
                        "Database read-only performance and log replay",
                        EsrpForm.FORM.backupAndReplay(),
                        facts));
    }

    /** {@return whether a phase found what is wrong; null where it is to be judged and was not} */
    private @Nullable String errors(Row row) {
        PhaseVerdict verdict = PhaseVerdict.of(document, row);
        return verdict.reasons().isEmpty() ? "no" : verdict.passes() == null ? null : "yes";
    }

    /** {@return how many transactions failed; a dash where there were none} */
    private @Nullable String errors() {
        double failed = PhaseFigures.all(document).stream()
                .filter(PhaseFigures::hasTransactions)
                .flatMap(phase -> phase.parts(InstanceFigures.INSTANCES).stream())
                .mapToDouble(one -> one.count(IoCounter.ERRORS.counter()))
                .reduce(Double::sum)
                .orElse(Double.NaN);
        return Double.isNaN(failed)
                ? null
                : (failed > 0 ? "yes: " : "no: ") + Tables.number(failed)
                        + " failed transactions; what the kernel says of the devices is in dmesg";
    }
}
