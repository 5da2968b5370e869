package org.hubmark.bench.machine.volumes;

import org.hubmark.queue.BareGroups;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes groups to a volume as the intake log does, and does nothing else. Prints how many groups it
 * wrote in how many nanoseconds. A process of its own, so that a preloaded emulation of a device
 * holds for it.
 */
final class GroupWriterMain {
    private GroupWriterMain() {}

    /** Arguments: folder, bytes of a group, milliseconds. */
    public static void main(String[] arguments) throws IOException {
        int groupBytes = Integer.parseInt(arguments[1]);
        long nanos = Long.parseLong(arguments[2]) * 1_000_000;
        try (BareGroups groups = BareGroups.create(Path.of(arguments[0]), groupBytes)) {
            long written = 0;
            long begun = System.nanoTime();
            long now = begun;
            while (now - begun < nanos) {
                groups.write();
                now = System.nanoTime();
                written++;
            }
            System.out.printf(Locale.ROOT, "%d %d%n", written, now - begun);
        }
    }
}
