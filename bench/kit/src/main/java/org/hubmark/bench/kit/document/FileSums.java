package org.hubmark.bench.kit.document;

import org.hubmark.bench.machine.MachineFiles;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The SHA-256 of the raw files of a result, which stand in the result's file. */
public final class FileSums {
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
     * {@return files that are gone, or are not those that the run wrote}
     *
     * @param raw as the result's file names them
     */
    public static List<String> changed(Path folder, List<RawFile> raw) {
        List<String> changed = new ArrayList<>();
        try {
            for (RawFile file : raw) {
                if (differs(folder, file.file(), file.sha256())) {
                    changed.add(file.file());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return changed;
    }

    private static boolean differs(Path folder, String name, String sum) throws IOException {
        Path file = folder.resolve(name);
        return !Files.isRegularFile(file) || !sha256(file).equals(sum);
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
