package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.SystemTool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where files lie on their device, as the file system says. */
final class FileSectors {
    /** A line of filefrag: number, logical range, physical range, length, flags. */
    private static final Pattern EXTENT =
            Pattern.compile("\\s*\\d+:\\s*\\d+\\.\\.\\s*\\d+:\\s*(\\d+)\\.\\.\\s*(\\d+):(.*)");

    private FileSectors() {}

    /**
     * {@return the sectors that all files below a folder have been written to} As {@code
     * first-last,first-last}, counted from the start of the device.
     */
    static String of(Path folder) throws IOException {
        List<String> ranges = new ArrayList<>();
        for (Path file : Folders.files(folder)) {
            if (Files.size(file) == 0) {
                continue;
            }
            String told = SystemTool.run(
                    List.of("filefrag", "-v", "-b" + RecordedDisk.SECTOR_BYTES, file.toString()));
            for (String line : told.lines().toList()) {
                Matcher extent = EXTENT.matcher(line);
                if (extent.matches()
                        && !extent.group(3).matches(".*(unwritten|inline|delalloc).*")) {
                    ranges.add(extent.group(1) + "-" + extent.group(2));
                }
            }
        }
        return String.join(",", ranges);
    }
}
