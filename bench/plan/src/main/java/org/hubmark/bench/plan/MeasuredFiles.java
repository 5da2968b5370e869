package org.hubmark.bench.plan;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the results that a plan is made of: what qualify and users wrote, each by its file. */
final class MeasuredFiles {
    private static final String STORAGE = "qualification.json";
    private static final String USERS = "users.json";
    private static final List<String> FILES = List.of(STORAGE, USERS);

    private final Collected into = new Collected();
    private final List<StorageFile> storages = new ArrayList<>();
    private @Nullable Path users;

    private MeasuredFiles() {}

    /**
     * {@return what results say}
     *
     * @param from folders or files
     * @throws UserError where there are none, or they are of another kind
     */
    static Collected read(List<String> from) {
        MeasuredFiles all = new MeasuredFiles();
        from.forEach(all::add);
        all.storage();
        return all.into;
    }

    private void add(String given) {
        if (given.isBlank()) {
            throw UserError.usage(
                    "--from names no folder; give folders that qualify or users wrote" + " to");
        }
        for (Path file : files(Path.of(given))) {
            switch (String.valueOf(file.getFileName())) {
                case STORAGE -> storages.addAll(StorageFile.of(file, into));
                default -> {
                    users = once(users, file);
                    UsersFile.read(file, into);
                }
            }
        }
    }

    private static List<Path> files(Path path) {
        if (!Files.exists(path)) {
            throw UserError.usage("--from " + path + " does not exist; name folders that qualify"
                    + " or users wrote to");
        }
        if (!Files.isDirectory(path)) {
            if (FILES.contains(String.valueOf(path.getFileName()))) {
                return List.of(path);
            }
            throw ofAnotherKind(path + " is not one of ");
        }
        List<Path> found =
                FILES.stream().map(path::resolve).filter(Files::isRegularFile).toList();
        if (found.isEmpty()) {
            throw ofAnotherKind(path + " has none of ");
        }
        return found;
    }

    private static UserError ofAnotherKind(String what) {
        return UserError.usage("--from " + what + String.join(", ", FILES)
                + "; plan is made of results of qualify and users");
    }

    private static Path once(@Nullable Path before, Path file) {
        if (before != null) {
            throw UserError.usage("--from names two of a kind, " + before + " and " + file
                    + "; a plan takes one of each kind");
        }
        return file;
    }

    /** Runs of one cache mode make one curve; a run with cache and one without are a pair besides. */
    private void storage() {
        if (storages.isEmpty()) {
            return;
        }
        List<StorageFile> without =
                storages.stream().filter(StorageFile::isWithoutCache).toList();
        List<StorageFile> with =
                storages.stream().filter(one -> !one.isWithoutCache()).toList();
        List<StorageFile> used = with.isEmpty() ? without : with;
        if (used.stream().map(StorageFile::cacheMode).distinct().count() > 1) {
            throw UserError.usage("--from names qualifications with the cache modes "
                    + String.join(
                            ", ", used.stream().map(StorageFile::cacheMode).toList())
                    + "; name the qualifications of one mode, and one with off for a pair");
        }
        StorageFile last = used.getLast();
        last.read(into);
        last.readProfile(into);
        List<Curve.Point> points =
                used.stream().flatMap(one -> one.curve().stream()).toList();
        into.measured(
                PlanInputs.IO_CURVE,
                points,
                Source.measured(String.join(
                                ", ",
                                used.stream().map(one -> one.file().toString()).toList())
                        + ": phases, and numbers of threads that were tried"));
        if (!with.isEmpty() && !without.isEmpty()) {
            last.readPair(CacheSteps.Improvement::with, into);
            StorageFile off = without.getLast();
            off.readPair(CacheSteps.Improvement::without, into);
            into.measured(
                    PlanInputs.HIT_CURVE,
                    StorageFile.hits(with, off),
                    Source.measured("reads a transaction, compared with " + off.file()));
            List<String> differences = last.differences(off);
            if (!differences.isEmpty()) {
                into.warn(last.file() + " and " + off.file() + " differ not only in the cache: "
                        + String.join(", ", differences));
            }
        }
    }
}
