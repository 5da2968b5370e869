package org.hubmark.bench.qualify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All databases of a test, open, with their cache. One thread opens and closes them. */
final class OpenDatabases implements AutoCloseable {
    private final SharedCache cache;
    private final List<MailboxDatabase> all = new ArrayList<>();

    private OpenDatabases(SharedCache cache) {
        this.cache = cache;
    }

    /** Opens them. */
    static OpenDatabases open(QualifyRequest request, List<DatabasePlace> places)
            throws IOException {
        OpenDatabases open = new OpenDatabases(SharedCache.of(request));
        boolean complete = false;
        try {
            for (DatabasePlace place : places) {
                open.all.add(
                        open.cache.open(place, request.databases().bytes(), new FileOperations()));
            }
            complete = true;
            return open;
        } finally {
            if (!complete) {
                open.close();
            }
        }
    }

    List<MailboxDatabase> all() {
        return all;
    }

    SharedCache cache() {
        return cache;
    }

    List<Instance> instances() {
        return all.stream().map(Instance::of).toList();
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
