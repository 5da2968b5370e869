package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.machine.Environment;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Surroundings of a study: keeps its counters, writes them after each repeat, and resumes an
 * interrupted run in the same folder. One thread.
 */
public final class Context implements Progress {
    /** Settings that change nothing of what is measured. */
    private static final Set<String> NOT_MEASURED =
            Set.of("keep", "output", "quiet", "shared-machine", "state");

    /** Some count on many times a second, and writing takes some milliseconds. */
    private static final Duration TOTALS_PERIOD = Duration.ofSeconds(1);

    private final Study study;
    private final Kind kind;
    private final Request request;
    private final String startedAt;
    private final Map<String, @Nullable Object> settings;
    private final Map<String, @Nullable Object> facts = new LinkedHashMap<>();
    private final Map<Form, Map<String, Collected>> rows = new LinkedHashMap<>();
    private final RawTimes times;
    private final RawSamples samples;
    private Environment environment;
    private @Nullable String failure;
    private boolean complete;
    private long writtenNanos;
    private int sitting = 1;

    /**
     * Request to run a study.
     *
     * @param folder of the results; exists
     * @param command as it was given
     * @param settings every option with the value that is in force
     * @param progress is told how far the study has come
     * @param others tells which other runs measure on this machine now, each by its process and
     *     command
     */
    public record Request(
            Path folder,
            Tool tool,
            String command,
            Map<String, @Nullable Object> settings,
            Environment environment,
            Clock clock,
            Progress progress,
            Supplier<List<String>> others) {}

    /** Counts what happens in one repeat. */
    @FunctionalInterface
    public interface Measurement {
        /** {@return what was counted; not complete where this thread was told to end meanwhile} */
        Repeat count() throws IOException, InterruptedException;
    }

    /**
     * The names are those of the form, changed as more becomes known.
     *
     * @param missing says why there is no repeat more; at most one
     */
    private record Collected(
            Map<String, @Nullable Object> names, List<Repeat> repeats, List<Repeat> missing) {
        private boolean isEmpty() {
            return repeats.isEmpty() && missing.isEmpty();
        }
    }

    /** Begins, with what an interrupted run of the same command left. */
    Context(Study study, Request request) throws IOException {
        this.study = study;
        this.kind = study.kind();
        this.request = request;
        this.settings = new TreeMap<>(request.settings);
        this.times = new RawTimes(request.folder);
        this.samples = new RawSamples(request.folder);
        this.writtenNanos = request.clock.nanos() - TOTALS_PERIOD.toNanos();
        Document left = left();
        this.startedAt = left == null
                ? request.clock.now().toString()
                : left.provenance().startedAt();
        this.environment =
                left == null ? request.environment : left.provenance().environment();
        if (left != null) {
            left.provenance().settings().forEach(settings::putIfAbsent);
            facts.putAll(left.facts());
        }
        for (Form form : kind.forms()) {
            Map<String, Collected> own = new LinkedHashMap<>();
            if (left != null) {
                left.table(form)
                        .rows()
                        .forEach(row -> own.put(
                                row.id(form),
                                new Collected(
                                        new LinkedHashMap<>(row.names()),
                                        new ArrayList<>(row.repeats().stream()
                                                .filter(Repeat::complete)
                                                .toList()),
                                        new ArrayList<>(row.repeats().stream()
                                                .filter(Repeat::isEmpty)
                                                .toList()))));
            }
            rows.put(form, own);
            own.values().stream()
                    .flatMap(row -> row.repeats.stream())
                    .forEach(repeat -> sitting = Math.max(sitting, 1 + repeat.sitting()));
        }
    }

    private @Nullable Document left() throws IOException {
        if (!DocumentFile.isIn(request.folder, kind)) {
            return null;
        }
        Document left = DocumentFile.read(request.folder, kind);
        Provenance from = left.provenance();
        requireSame(TreeComparison.differences(
                "",
                identity(from.settings(), from.tool(), from.environment()),
                identity(request.settings, request.tool, request.environment)));
        if (left.complete() && study.extent().isEmpty()) {
            return null;
        }
        times.cut(left.rawFiles());
        samples.cut(left.rawFiles());
        requireTimes(left);
        return left;
    }

    /** They are told by their places: those of another state of the file would be taken for others. */
    private void requireTimes(Document left) {
        List<String> changed = FileSums.changed(request.folder, left.rawFiles()).stream()
                .filter(file -> file.equals(RawTimes.FILE) || file.equals(RawSamples.FILE))
                .toList();
        if (!changed.isEmpty()) {
            throw UserError.failed(String.join(", ", changed) + " in " + request.folder
                    + " does not belong to " + kind.file()
                    + ": it was changed, or the run was killed while it wrote; name another"
                    + " --output");
        }
    }

    /** Settings that turned out only while the study ran are no part of what was asked for. */
    private JsonNode identity(Map<String, @Nullable Object> asked, Tool tool, Environment machine) {
        Map<String, @Nullable Object> all = new TreeMap<>(asked);
        all.keySet().retainAll(request.settings.keySet());
        all.keySet().removeAll(NOT_MEASURED);
        all.keySet().removeAll(study.extent());
        all.put("hubmark", tool);
        all.put("cpu-model", machine.processor().cpuModel());
        all.put("logical-cores", machine.processor().logicalCores());
        return JsonFile.tree(all);
    }

    private void requireSame(List<String> differences) {
        if (!differences.isEmpty()) {
            throw UserError.failed(request.folder + " has results of " + kind.name()
                    + " with other settings (" + differences.getFirst()
                    + (differences.size() == 1 ? "" : "; and " + (differences.size() - 1) + " more")
                    + "): name another --output, or give the same options to continue it");
        }
    }

    /** {@return the folder of the results, for raw files} */
    public Path folder() {
        return request.folder;
    }

    /** {@return what the study waits by} */
    public Clock clock() {
        return request.clock;
    }

    /** {@return the machine, as far as it is known; as an interrupted run has left it} */
    public Environment environment() {
        return environment;
    }

    /** Takes down what more is known of the machine, once it can be. */
    public void environment(Environment known) {
        environment = known;
    }

    /** {@return every setting that is known to be in force} */
    public Map<String, @Nullable Object> settings() {
        return Collections.unmodifiableMap(settings);
    }

    /** Takes down a setting that turns out only while the study runs, such as one of the server's. */
    public void setting(String name, @Nullable Object value) {
        if (!request.settings.containsKey(name)) {
            settings.put(name, value);
        }
    }

    /** Takes down what broke the study off. What was counted before is kept, and can be gone on with. */
    public void failed(String reason) {
        failure = reason;
    }

    @Nullable
    String failure() {
        return failure;
    }

    @Override
    public void phase(String name, Duration time) {
        request.progress.phase(name, time);
    }

    @Override
    public void elapsed(Duration time, String seen) {
        request.progress.elapsed(time, seen);
    }

    /** {@return which other runs measure on this machine now, each by its process and command} */
    public List<String> others() {
        return request.others.get();
    }

    @Override
    public void note(String line) {
        request.progress.note(line);
    }

    /** Takes down what else has to be known. */
    public void fact(Name name, @Nullable Object value) {
        facts.put(name.key(), value);
    }

    /**
     * Takes down what the repeats depend on beside the settings, such as the content of a file: it is the
     * same as long as a run goes on.
     *
     * @throws UserError where an interrupted run that has repeats had another
     */
    public void input(Name name, @Nullable Object value) {
        if (!isEmpty() && facts.containsKey(name.key())) {
            requireSame(TreeComparison.differences(
                    name.label().isEmpty() ? name.key() : name.label(),
                    JsonFile.tree(facts.get(name.key())),
                    JsonFile.tree(value)));
        }
        fact(name, value);
    }

    /** {@return what was taken down, by an interrupted run too; null where nothing was} */
    public @Nullable Object fact(Name name) {
        return facts.get(name.key());
    }

    /** Gives a row its place in the table; it is there when it has a repeat. */
    public void expect(Form form, Map<Name, ?> names) {
        var unused = row(form, names);
    }

    private Collected row(Form form, Map<Name, ?> names) {
        return table(form)
                .computeIfAbsent(
                        id(form, names),
                        id -> new Collected(keys(names), new ArrayList<>(), new ArrayList<>()));
    }

    /** Takes down what else is known of a row by now. */
    public void describe(Form form, Map<Name, ?> names, Name more, @Nullable Object value) {
        row(form, names).names.put(more.key(), value);
    }

    /** {@return how many repeats of a row there are already} */
    public int repeats(Form form, Map<Name, ?> names) {
        Collected row = table(form).get(id(form, names));
        return row == null ? 0 : row.repeats.size();
    }

    /**
     * {@return the repeat of a row of that number} Where there is none it is counted, and all is written.
     *
     * @param names all of the form's
     * @param number from 1
     * @throws InterruptedException also after one that is not complete, which is kept
     */
    public Repeat repeat(Form form, Map<Name, ?> names, int number, Measurement measurement)
            throws IOException, InterruptedException {
        Collected row = row(form, names);
        if (row.repeats.size() < number) {
            Repeat counted = measurement.count().of(sitting);
            row.repeats.add(counted);
            row.missing.clear();
            var unused = write(document());
            if (!counted.complete()) {
                throw new InterruptedException();
            }
        }
        return row.repeats.get(number - 1);
    }

    /**
     * Takes down why there is no repeat more of a row, in a repeat that {@linkplain Repeat#isEmpty says only
     * that}. It stays until there is one: the same study in the same folder tries it again.
     *
     * @param why null where nothing is missing any more
     */
    public void missing(Form form, Map<Name, ?> names, @Nullable Repeat why) throws IOException {
        List<Repeat> missing = row(form, names).missing;
        if (why == null && missing.isEmpty()) {
            return;
        }
        missing.clear();
        Stream.ofNullable(why).forEach(missing::add);
        if (!isEmpty()) {
            var unused = write(document());
        }
    }

    /**
     * {@return samples for the repeat of a row that is counted next} They are in the file as they come, and
     * go from there if no repeat has them.
     *
     * @param names all of the form's
     */
    public Series series(Form form, Map<Name, ?> names, List<String> keys) throws IOException {
        expect(form, names);
        String id = id(form, names);
        long place = table(form).entrySet().stream()
                .takeWhile(row -> !row.getKey().equals(id))
                .filter(row -> !row.getValue().isEmpty())
                .count();
        String tag = RawTimes.tag(form.key(), (int) place);
        return samples.begin(RawTimes.tag(tag, repeats(form, names)), keys);
    }

    /** Takes samples out of the file that no repeat has. */
    void endSeries() throws IOException {
        samples.write(document().tables());
    }

    /**
     * {@return what a row with totals has counted, in an interrupted run too; null where it has nothing yet}
     *
     * @param names all of the form's
     */
    public @Nullable Repeat total(Form form, Map<Name, ?> names) {
        Collected row = table(form).get(id(form, names));
        return row == null || row.repeats.isEmpty() ? null : row.repeats.getFirst();
    }

    /**
     * Takes down what a row with totals has counted so far, in the place of what was there. All is written,
     * once a second at most.
     *
     * @param names all of the form's
     */
    public void total(Form form, Map<Name, ?> names, Repeat counted) throws IOException {
        Collected row = row(form, names);
        row.repeats.clear();
        row.repeats.add(counted);
        long nanos = request.clock.nanos();
        if (nanos - writtenNanos >= TOTALS_PERIOD.toNanos()) {
            var unused = write(document());
            writtenNanos = nanos;
        }
    }

    private Map<String, Collected> table(Form form) {
        Map<String, Collected> table = rows.get(form);
        if (table == null) {
            throw new IllegalArgumentException(kind.name() + " has no table " + form.key());
        }
        return table;
    }

    private static String id(Form form, Map<Name, ?> names) {
        return Row.id(form, keys(names));
    }

    private static Map<String, @Nullable Object> keys(Map<Name, ?> names) {
        Map<String, @Nullable Object> keys = new LinkedHashMap<>();
        names.forEach((name, value) -> keys.put(name.key(), value));
        return keys;
    }

    /** {@return whether there is no repeat yet} */
    public boolean isEmpty() {
        return rows.values().stream()
                .flatMap(table -> table.values().stream())
                .allMatch(row -> row.repeats.isEmpty());
    }

    /** Writes the file, and adds the times and samples that are new; {@return what was written} */
    Document write(Document document) throws IOException {
        return DocumentFile.write(document, request.folder, times, samples);
    }

    void complete() {
        complete = true;
    }

    /** {@return all that was counted so far} */
    public Document document() {
        Provenance from = new Provenance(
                request.tool,
                startedAt,
                request.clock.now().toString(),
                request.command,
                settings,
                environment);
        return new Document(
                kind,
                from,
                complete,
                facts,
                rows.entrySet().stream().map(Context::table).toList(),
                List.of());
    }

    private static Table table(Map.Entry<Form, Map<String, Collected>> table) {
        return new Table(
                table.getKey(),
                table.getValue().values().stream()
                        .filter(row -> !row.isEmpty())
                        .map(row -> new Row(
                                row.names,
                                Stream.concat(row.repeats.stream(), row.missing.stream())
                                        .toList()))
                        .toList());
    }
}
