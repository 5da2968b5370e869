package org.hubmark.bench.kit.document;

import org.hubmark.bench.machine.MachineFiles;
import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The SHA-256 of the files of a result: of the raw ones in the result's file itself, of all of them in
 * one that {@code sha256sum -c} reads.
 */
public final class FileSums {
    /** As sha256sum writes it: a sum and a name a line. */
    public static final String FILE = "SHA256SUMS";

    /** Drawn from the rest, and drawn again at any time. */
    private static final List<String> REPORTS = List.of("report.html", "report.md");

    private static final String SERVER_LOG = "server.log";

    private static final List<String> RAW = Stream.of(
                    RawTimes.FILE, RawSamples.FILE, SERVER_LOG, MachineFiles.FILE)
            .sorted()
            .toList();

    private FileSums() {}

    /** {@return what was written while it was measured, by name} */
    public static List<RawFile> rawFiles(Path folder) throws IOException {
        List<RawFile> files = new ArrayList<>();
        for (String name : RAW) {
            Path file = folder.resolve(name);
            if (Files.isRegularFile(file)) {
                files.add(new RawFile(name, sha256(file), Files.size(file)));
            }
        }
        return files;
    }

    /**
     * {@return whether the folder has the sums of a result} Raw files alone are of a run that was killed
     * before it had one.
     */
    public static boolean holdsResult(Path folder) {
        return Files.isRegularFile(folder.resolve(FILE));
    }

    /** Forgets the sums of an earlier result in the folder. */
    public static void forget(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(FILE));
    }

    /**
     * Notes the sums of the raw files, of the result's file and of the reports.
     *
     * @param results the name of the result's file
     */
    public static void write(Path folder, String results, List<RawFile> raw) throws IOException {
        Map<String, String> sums = new LinkedHashMap<>();
        raw.forEach(file -> sums.put(file.file(), file.sha256()));
        put(sums, folder, List.of(results));
        put(sums, folder, REPORTS);
        write(folder, sums);
    }

    /** Notes the sums of reports that were drawn again; those of the rest stay as they were. */
    public static void redrawn(Path folder) throws IOException {
        if (Files.exists(folder.resolve(FILE))) {
            Map<String, String> sums = read(folder);
            put(sums, folder, REPORTS);
            write(folder, sums);
        }
    }

    private static void put(Map<String, String> sums, Path folder, List<String> names)
            throws IOException {
        for (String name : names) {
            if (Files.isRegularFile(folder.resolve(name))) {
                sums.put(name, sha256(folder.resolve(name)));
            }
        }
    }

    private static void write(Path folder, Map<String, String> sums) throws IOException {
        StringBuilder lines = new StringBuilder();
        sums.forEach((name, sum) -> lines.append(sum + "  " + name + "\n"));
        OutputFile.write(folder.resolve(FILE), lines.toString());
    }

    private static Map<String, String> read(Path folder) throws IOException {
        Map<String, String> sums = new LinkedHashMap<>();
        for (String line : Files.readAllLines(folder.resolve(FILE))) {
            String[] parts = line.split("  ", 2);
            if (parts.length == 2) {
                sums.put(parts[1], parts[0]);
            }
        }
        return sums;
    }

    /**
     * {@return files that are gone, or are not those that the run wrote; none where no sums were noted}
     *
     * @param results the name of the result's file
     * @param raw as it names them
     */
    public static List<String> changed(Path folder, String results, List<RawFile> raw) {
        List<String> changed = new ArrayList<>();
        try {
            for (RawFile file : raw) {
                if (differs(folder, file.file(), file.sha256())) {
                    changed.add(file.file());
                }
            }
            String own = Files.exists(folder.resolve(FILE)) ? read(folder).get(results) : null;
            if (own != null && differs(folder, results, own)) {
                changed.add(results);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return changed;
    }

    private static boolean differs(Path folder, String name, String sum) throws IOException {
        try {
            Path file = folder.resolve(name);
            return !Files.isRegularFile(file) || !sha256(file).equals(sum);
        } catch (InvalidPathException e) {
            // No run wrote a file of such a name.
            return true;
        }
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest =
                        new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            // Every JDK has it.
            throw new IllegalStateException(e);
        }
    }
}
