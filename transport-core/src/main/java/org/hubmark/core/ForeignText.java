package org.hubmark.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads text that others write: the kernel, which repeats the names of mounts and programs as they are,
 * and servers. Any thread.
 */
public final class ForeignText {
    private ForeignText() {}

    /** {@return the text of a file; in place of what is no UTF-8 there stands U+FFFD} */
    public static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** {@return a text without the byte order mark that some editors put in front of it} */
    public static String unmarked(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
