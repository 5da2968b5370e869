package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.Resource;
import org.hubmark.core.FileOwners;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The library that is preloaded into servers, which makes files act as on another device and lets
 * writes, syncs and the clock go wrong. Compiled on this machine by its own C compiler, once, and kept in a
 * folder. What it does in a process, variables of that process say: see {@link SyncEmulation}.
 *
 * @param file the library
 */
public record PreloadLibrary(Path file) {
    private static final String SOURCES = "/preload/";
    private static final String HEADER = "preload.h";
    private static final List<String> CODE = List.of("preload.c", "devices.c", "faults.c");
    private static final String VARIABLE = "LD_PRELOAD";
    private static final String NAME = "hubmark-preload-";

    /** {@return why it can't be had on this machine, or null if it can} */
    public static @Nullable String obstacle() {
        return SystemTool.exists("cc")
                ? null
                : "no C compiler (cc) on PATH, which the library that emulates devices and faults is"
                        + " built with; install one (apt-get install gcc libc6-dev, dnf install gcc)";
    }

    /**
     * {@return the one that is kept in a folder, compiled if it is not there yet}
     *
     * @param folder exists
     * @throws IOException if there is no compiler, it fails, or another user could put one there
     */
    public static PreloadLibrary load(Path folder) throws IOException {
        CRC32C checksum = new CRC32C();
        checksum.update(source(HEADER));
        for (String name : CODE) {
            checksum.update(source(name));
        }
        Path home = folder.toRealPath();
        Path library =
                home.resolve(String.format(Locale.ROOT, NAME + "%08x.so", checksum.getValue()));
        if (!Files.exists(library)) {
            compile(home, library);
        }
        String other = FileOwners.other(library);
        if (other != null) {
            throw new IOException("no library is loaded from " + home + ": " + other
                    + ", who could have put it there; name another folder");
        }
        return new PreloadLibrary(library);
    }

    /** {@return the variables of a process that it is to be loaded into, with those that it reads} */
    public Map<String, String> environment(Map<String, String> variables) {
        StringBuilder all = new StringBuilder(file.toString());
        // Another one of the same kind would make every device twice as slow.
        Arrays.stream(System.getenv().getOrDefault(VARIABLE, "").split("[: ]", -1))
                .filter(other -> !other.isEmpty() && !other.contains("/" + NAME))
                .forEach(other -> all.append(':').append(other));
        Map<String, String> environment = new TreeMap<>(variables);
        environment.put(VARIABLE, all.toString());
        return environment;
    }

    private static void compile(Path folder, Path library) throws IOException {
        String obstacle = obstacle();
        if (obstacle != null) {
            throw new IOException(obstacle);
        }
        // In a folder of its own, since somebody else may be at it.
        Path work = Files.createTempDirectory(folder, NAME);
        Path part = work.resolve("part.so");
        try {
            Files.write(work.resolve(HEADER), source(HEADER));
            List<String> command = new ArrayList<>(List.of(
                    "cc",
                    "-O2",
                    "-std=gnu11",
                    "-shared",
                    "-fPIC",
                    "-fvisibility=hidden",
                    "-pthread",
                    "-o",
                    part.toString()));
            for (String name : CODE) {
                command.add(Files.write(work.resolve(name), source(name)).toString());
            }
            command.add("-ldl");
            SystemTool.run(command);
            Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(work);
        }
    }

    private static byte[] source(String name) throws IOException {
        return Resource.text(SOURCES + name).getBytes(StandardCharsets.UTF_8);
    }
}
