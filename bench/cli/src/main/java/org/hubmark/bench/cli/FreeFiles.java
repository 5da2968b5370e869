package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * How many more files a file system takes (inodes), which Java does not tell. A file system without a
 * limit says 0 of 0.
 */
final class FreeFiles {
    /** What the start of a hub makes anew in an existing queue: log, manifest and files of RocksDB. */
    static final int MIN = 4;

    private FreeFiles() {}

    /** {@return the number; null where there is no limit, or it isn't known} */
    static @Nullable Long of(Path folder) {
        try {
            String said =
                    SystemTool.run(List.of("stat", "-f", "-c", "%c %d", "--", folder.toString()));
            String[] numbers = said.split(" ", -1);
            return numbers.length != 2 || numbers[0].equals("0") ? null : Long.valueOf(numbers[1]);
        } catch (IOException | NumberFormatException e) {
            // A system without it.
            return null;
        }
    }

    /** {@return why nothing can be made there; null where something can} */
    static @Nullable String problem(String role, Path folder) {
        Long free = of(folder);
        return free == null || free >= MIN
                ? null
                : "the " + role + " volume " + folder + " has room for " + free
                        + " more files (inodes), and a start makes " + MIN
                        + "; remove files from its file system, or make one with more inodes";
    }
}
