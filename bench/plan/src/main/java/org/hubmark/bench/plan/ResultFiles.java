package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.users.result.UsersResult;
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

/** Reads the results that a plan is made of: the documents of qualify and users. */
final class ResultFiles {
    private static final List<Kind> KINDS = List.of(Qualification.KIND, UsersResult.KIND);

    private final Collected into = new Collected();
    private final List<StorageRow> storages = new ArrayList<>();
    private @Nullable Path users;

    private ResultFiles() {}

    /**
     * {@return what results say}
     *
     * @param from folders or files
     * @throws UserError where there are none, or they are of another kind
     */
    static Collected read(List<String> from) {
        ResultFiles all = new ResultFiles();
        from.forEach(all::add);
        all.storage();
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
                storages.addAll(StorageRow.of(file, document));
            } else if (users == null) {
                users = file;
                UserMessages.read(file, document, into);
            } else {
                throw UserError.usage("--from names two of a kind, " + users + " and " + file
                        + "; a plan takes one of each kind");
            }
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        } catch (IllegalArgumentException e) {
            throw UserError.usage(file + ": " + e.getMessage());
        }
    }

    /** Takes down what results say of their own worth, which goes with what is made of them. */
    private void warn(Path file, Findings findings) {
        if (findings.outcome() == Findings.Outcome.NOT_VALID) {
            into.warn(file
                    + (findings.verdict() == null ? " was not judged: " : " is not valid: ")
                    + String.join("; ", new LinkedHashSet<>(findings.reasons())));
        }
        findings.warnings().forEach(warning -> into.warn(file + ": " + warning));
    }

    /** Runs of one cache mode make one curve; a run with cache and one without are a pair besides. */
    private void storage() {
        if (storages.isEmpty()) {
            return;
        }
        List<StorageRow> without =
                storages.stream().filter(one -> one.mode() == CacheMode.OFF).toList();
        List<StorageRow> with =
                storages.stream().filter(one -> one.mode() != CacheMode.OFF).toList();
        List<StorageRow> used = with.isEmpty() ? without : with;
        if (used.stream().map(StorageRow::mode).distinct().count() > 1) {
            throw UserError.usage("--from names qualifications with the cache modes "
                    + String.join(
                            ", ",
                            used.stream().map(one -> one.mode().toString()).toList())
                    + "; name the qualifications of one mode, and one with off for a pair");
        }
        StorageRow last = used.getLast();
        last.read(into);
        List<Curve.Point> points =
                used.stream().flatMap(one -> one.curve().stream()).toList();
        into.measured(
                points,
                Source.measured(String.join(
                                ", ",
                                used.stream().map(one -> one.file().toString()).toList())
                        + ": phases, and numbers of threads that were tried"));
        if (!with.isEmpty() && !without.isEmpty()) {
            StorageRow off = without.getLast();
            List<Double> onFigures = last.compared();
            List<Double> offFigures = off.compared();
            for (int i = 0; i < onFigures.size(); i++) {
                PlanInputs.Pair pair = PlanInputs.PAIRS.get(i);
                into.measured(pair.with(), onFigures.get(i), last.source());
                into.measured(pair.without(), offFigures.get(i), off.source());
            }
            List<String> differences = last.differences(off);
            if (!differences.isEmpty()) {
                into.warn(last.file() + " and " + off.file() + " differ not only in the cache: "
                        + String.join(", ", differences));
            }
        }
    }
}
