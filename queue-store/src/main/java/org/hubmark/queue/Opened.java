package org.hubmark.queue;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened one after the other: closed the other way round, each also where another can't be. */
final class Opened implements Closeable {
    private final Deque<Closeable> all = new ArrayDeque<>();

    void add(Closeable opened) {
        all.push(opened);
    }

    @Override
    public void close() throws IOException {
        try {
            if (!all.isEmpty()) {
                all.pop().close();
            }
        } finally {
            if (!all.isEmpty()) {
                close();
            }
        }
    }
}
