package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.UsersResult;
import org.hubmark.core.Durations;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Reads the results that a plan is made of: the documents of qualify and users. */
final class ResultFiles {
    private static final double MINUTES_PER_H = 60;
    private static final List<Kind> KINDS = List.of(Qualification.KIND, UsersResult.KIND);

    private final Collected into = new Collected();
    private final Set<String> modes = new TreeSet<>();
    private final List<String> files = new ArrayList<>();
    private final Collected said;
    private double iopsAtLimit;
    private @Nullable Path users;

    private ResultFiles(Collected said) {
        this.said = said;
    }

    /**
     * {@return what results say}
     *
     * @param from folders or files
     * @param said what was said on the command line, which may have another limit of latency
     * @throws UserError where there are none, or they are of another kind
     */
    static Collected read(List<String> from, Collected said) {
        ResultFiles all = new ResultFiles(said);
        from.forEach(all::add);
        return all.into;
    }

    private void add(String given) {
        if (given.isBlank()) {
            throw UserError.usage(
                    "--from names no folder; give folders that qualify or users wrote to");
        }
        Path path = Path.of(given);
        if (!Files.exists(path)) {
            throw UserError.usage("--from " + path + " does not exist; name folders that qualify"
                    + " or users wrote to");
        }
        boolean isFolder = Files.isDirectory(path);
        Path folder = isFolder ? path : Objects.requireNonNullElse(path.getParent(), Path.of(""));
        List<Kind> found = KINDS.stream()
                .filter(kind -> isFolder
                        ? DocumentFile.isIn(folder, kind)
                        : path.equals(folder.resolve(kind.file())))
                .toList();
        if (found.isEmpty()) {
            throw UserError.usage("--from " + path
                    + (isFolder ? " has none of " : " is not one of ")
                    + String.join(", ", KINDS.stream().map(Kind::file).toList())
                    + "; plan is made of results of qualify and users");
        }
        found.forEach(kind -> add(folder.resolve(kind.file()), kind));
    }

    private void add(Path file, Kind kind) {
        try {
            Document document = DocumentFile.read(
                    Objects.requireNonNullElse(file.getParent(), Path.of("")), kind);
            warn(file, document.findings());
            if (kind.equals(Qualification.KIND)) {
                storage(file, document);
            } else {
                messages(file, document);
            }
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        } catch (IllegalArgumentException e) {
            throw UserError.usage(file + ": " + e.getMessage());
        }
    }

    /** Takes down what results say of their own worth, which goes with what is made of them. */
    private void warn(Path file, Findings findings) {
        if (!findings.reasons().isEmpty()) {
            into.warn(file + ": " + findings.said() + ": "
                    + String.join("; ", new LinkedHashSet<>(findings.reasons())));
        }
        findings.warnings().forEach(warning -> into.warn(file + ": " + warning));
    }

    /** Of runs of one cache mode the highest rate counts; one that compared modes is a pair besides. */
    private void storage(Path file, Document document) {
        modes.add(String.valueOf(document.provenance().settings().get("cache-mode")));
        if (modes.size() > 1) {
            throw UserError.usage("--from names qualifications with the cache modes "
                    + String.join(" and ", modes)
                    + "; name those of one mode, for a pair one of --cache-mode off,all");
        }
        StorageRow storage = StorageRow.compared(file, document, CacheMode.ALL)
                .or(() -> StorageRow.compared(file, document, CacheMode.METADATA))
                .orElseGet(() -> StorageRow.ofPhase(file, document));
        storage.read(into);
        Collected.Known limit = said.numbers().get(PlanInputs.READ_LATENCY_LIMIT_MS);
        double most = storage.iopsWithin(limit == null ? storage.readLimitMs() : limit.value());
        iopsAtLimit = Math.max(iopsAtLimit, most);
        files.add(file.toString());
        into.measured(
                PlanInputs.IOPS_AT_LIMIT,
                iopsAtLimit,
                Source.measured(String.join(", ", files)
                        + ": phases, and numbers of threads that were tried"));
        StorageRow.compared(file, document, CacheMode.OFF).ifPresent(off -> {
            for (int i = 0; i < PlanInputs.PAIRS.size(); i++) {
                PlanInputs.Pair pair = PlanInputs.PAIRS.get(i);
                into.measured(pair.with(), storage.compared().get(i), storage.source());
                into.measured(pair.without(), off.compared().get(i), off.source());
            }
        });
    }

    /** Takes the messages of a user and day: of the level that passed with the most users, else of the last. */
    private void messages(Path file, Document document) {
        if (users != null) {
            throw UserError.usage("--from names two of a kind, " + users + " and " + file
                    + "; a plan takes one of each kind");
        }
        users = file;
        Table table = document.table(LevelForm.LEVELS);
        if (table.rows().isEmpty()) {
            throw UserError.usage(file + " has no levels; plan reads what users wrote");
        }
        Integer passed = UsersResult.usersPassed(document);
        Row level = table.rows().stream()
                .filter(one -> Objects.equals(LevelForm.users(one), passed))
                .findFirst()
                .orElse(table.rows().getLast());
        Source source = Source.measured(file + ", level of " + LevelForm.users(level) + " users");
        into.measured(
                PlanInputs.MESSAGES_SENT_PER_USER_DAY,
                table.estimate(level, LevelForm.SENT_A_DAY).value(),
                source);
        into.measured(
                PlanInputs.MESSAGES_RECEIVED_PER_USER_DAY,
                table.estimate(level, LevelForm.RECEIVED_A_DAY).value(),
                source);
        into.measured(
                PlanInputs.DAY_H,
                Durations.parse(UsersResult.pace(document).day()).toMinutes() / MINUTES_PER_H,
                Source.given("as users was told, " + file));
    }
}
