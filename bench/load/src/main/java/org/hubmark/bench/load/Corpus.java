package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The messages of a folder: each file is one, in the order of their names. */
public final class Corpus {
    private Corpus() {}

    /**
     * Reads all of them into memory.
     *
     * @return contents with CRLF line ends, the last line ended too
     */
    public static List<byte[]> read(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw UserError.usage("--corpus " + folder
                    + " is not a folder; it names one whose files" + " are messages");
        }
        List<byte[]> contents = new ArrayList<>();
        Path current = folder;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                current = file;
                byte[] content = crlf(Files.readAllBytes(file));
                if (content.length > 0) {
                    contents.add(content);
                }
            }
        } catch (IOException e) {
            throw UserError.usage(
                    "--corpus: " + current + " can't be read (" + e.getMessage() + ")");
        }
        if (contents.isEmpty()) {
            throw UserError.usage(
                    "--corpus " + folder + " holds no message: a file each, not empty");
        }
        return contents;
    }

    /** Makes each CR LF, lone LF and lone CR one CRLF, and ends the last line. */
    static byte[] crlf(byte[] text) {
        String lines = new String(text, ISO_8859_1).replaceAll("\r\n|\r|\n", "\r\n");
        boolean isWhole = lines.isEmpty() || lines.endsWith("\n");
        return (isWhole ? lines : lines + "\r\n").getBytes(ISO_8859_1);
    }
}
