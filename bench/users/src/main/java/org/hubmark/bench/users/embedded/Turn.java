package org.hubmark.bench.users.embedded;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Who may act for a connection: the thread that serves it and made this, or any other one while that one
 * waits for its client. What comes at another moment is done as soon as that thread waits.
 */
final class Turn {
    private final Thread owner = Thread.currentThread();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private boolean waiting;

    /** Does something now, or later. */
    void take(Runnable action) {
        if (Thread.currentThread().equals(owner)) {
            action.run();
            return;
        }
        synchronized (this) {
            if (waiting) {
                action.run();
            } else {
                later.add(action);
            }
        }
    }

    /** {@return what the client says; whoever reads it waits} */
    InputStream reading(InputStream client) {
        return new FilterInputStream(client) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                waits();
                try {
                    return super.read(into, offset, length);
                } finally {
                    works();
                }
            }
        };
    }

    private synchronized void waits() {
        for (Runnable next = later.poll(); next != null; next = later.poll()) {
            next.run();
        }
        waiting = true;
    }

    private synchronized void works() {
        waiting = false;
    }
}
