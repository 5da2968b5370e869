package org.hubmark.bench.kit.document;

import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of raw data by tag, to which those of each new repeat are added behind the others. One thread.
 *
 * @param <T> what a tag has; nobody changes it from then on
 */
final class GrowingFile<T> {
    private final Path file;
    private Map<String, T> written = Map.of();
    private String head = "";
    private long lengthBytes;

    /** Begins; a file that is there is written anew. */
    GrowingFile(Path file) {
        this.file = file;
    }

    /** Writes the lines of some tags. */
    interface Lines<T> {
        void write(Map<String, T> tags, OutputStream out) throws IOException;
    }

    /** Adds what is new, or writes all anew where something else has changed; no file where there is nothing. */
    @SuppressWarnings("ReferenceEquality") // To compare what they have would take long.
    void write(Map<String, T> all, String ownHead, Lines<T> lines) throws IOException {
        // A row that comes before others gives these other tags.
        boolean isSame = !written.isEmpty()
                && head.equals(ownHead)
                && written.entrySet().stream()
                        .allMatch(one -> all.get(one.getKey()) == one.getValue());
        if (all.isEmpty()) {
            Files.deleteIfExists(file);
        } else if (isSame) {
            Map<String, T> more = new LinkedHashMap<>(all);
            more.keySet().removeAll(written.keySet());
            OutputFile.cut(file, lengthBytes);
            try (OutputStream out = OutputFile.append(file)) {
                lines.write(more, out);
            }
        } else {
            OutputFile.write(file, out -> {
                out.write(ownHead.getBytes(StandardCharsets.UTF_8));
                lines.write(all, out);
            });
        }
        written = all;
        head = ownHead;
        lengthBytes = all.isEmpty() ? 0 : Files.size(file);
    }

    /** Takes off what was added since it was written, and gets ready for more. */
    void begin(String ownHead) throws IOException {
        if (lengthBytes == 0) {
            OutputFile.write(file, ownHead);
        } else {
            OutputFile.cut(file, lengthBytes);
        }
    }

    /** Adds a line that is there until the file is written or begun again. */
    void add(String line) throws IOException {
        try (OutputStream out = OutputFile.append(file)) {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Takes off what a run added that was killed before it noted that. */
    void cut(List<RawFile> noted) throws IOException {
        lengthBytes = lengthBytes(file, noted, 0);
        if (Files.isRegularFile(file) && Files.size(file) > lengthBytes) {
            OutputFile.cut(file, lengthBytes);
        }
    }

    /** {@return the whole lines of a file, but for what was added after it was noted} */
    static String read(Path file, List<RawFile> noted) throws IOException {
        long whole = lengthBytes(file, noted, Integer.MAX_VALUE);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes((int) Math.min(whole, Integer.MAX_VALUE));
            String text = new String(bytes, StandardCharsets.UTF_8);
            // One that was changed may have half a line there.
            return text.substring(0, text.lastIndexOf('\n') + 1);
        }
    }

    private static long lengthBytes(Path file, List<RawFile> noted, long unknown) {
        return noted.stream()
                .filter(one -> one.file().equals(String.valueOf(file.getFileName())))
                .mapToLong(RawFile::bytes)
                .findFirst()
                .orElse(unknown);
    }
}
