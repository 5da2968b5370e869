package org.hubmark.bench.machine.folders;

import java.io.IOException;

/** What has to be done to its end by a thread that was interrupted too, so that nothing is left behind. */
public final class Cleanup {
    private Cleanup() {}

    /** It may wait for processes. */
    public interface Action {
        /** Does it. */
        void run() throws IOException;
    }

    /** Does it; an interruption from before stays pending. */
    public static void run(Action action) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            action.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
