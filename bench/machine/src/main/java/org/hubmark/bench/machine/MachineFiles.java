package org.hubmark.bench.machine;

import org.hubmark.bench.machine.folders.Resource;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The kernel's files about a machine and its settings, as they are: for readers who look for more than the
 * {@link Disclosure} has. Any thread.
 */
public final class MachineFiles {
    /** Name beside the results. */
    public static final String FILE = "machine.txt";

    private MachineFiles() {}

    /** Writes this machine's into a folder, once: what is there stays. */
    public static void write(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            OutputFile.write(file, text(HostFiles.HERE));
        }
    }

    /** {@return all that there are, each below its name as head(1) writes it} */
    static String text(HostFiles host) throws IOException {
        StringBuilder text = new StringBuilder();
        // None has a name of this machine or a number of its parts.
        Resource.text("/machine-files.txt").lines().forEach(file -> add(host, "", file, text));
        return text.toString();
    }

    private static void add(HostFiles host, String folder, String left, StringBuilder text) {
        int slash = left.indexOf('/');
        String first = slash < 0 ? left : left.substring(0, slash);
        for (String name : first.contains("*") ? host.names(folder, first) : List.of(first)) {
            String path = folder + name;
            if (slash >= 0) {
                add(host, path + "/", left.substring(slash + 1), text);
                continue;
            }
            String content = host.line(path);
            if (content != null) {
                text.append("==> /")
                        .append(path)
                        .append(" <==\n")
                        .append(content)
                        .append("\n\n");
            }
        }
    }
}
