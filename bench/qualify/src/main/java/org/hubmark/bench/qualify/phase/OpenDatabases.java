package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.PageCache;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All databases of a test, open, with the cache that they share. One thread opens and closes them. */
public final class OpenDatabases implements AutoCloseable {
    private final PageCache cache;
    private final List<MailboxDatabase> all = new ArrayList<>();

    /** Opens them. */
    public OpenDatabases(QualifyRequest request, List<DatabasePlace> places) throws IOException {
        cache = request.caches().cache();
        try {
            for (DatabasePlace place : places) {
                all.add(MailboxDatabase.open(
                        place,
                        cache,
                        request.databases().bytes(),
                        false,
                        new FileOperations(place.instance())));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    public List<MailboxDatabase> all() {
        return all;
    }

    PageCache cache() {
        return cache;
    }

    List<FileOperations> operations() {
        return all.stream().map(MailboxDatabase::operations).toList();
    }

    @Override
    public void close() throws IOException {
        IOException first = null;
        for (MailboxDatabase database : all) {
            try {
                database.close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        cache.close();
        if (first != null) {
            throw first;
        }
    }
}
