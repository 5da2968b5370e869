package org.hubmark.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Says in one line what nobody foresaw, and keeps the details in a file of their own. */
final class UnexpectedError {
    private static final int MEGABYTE = 1_000_000;

    private UnexpectedError() {}

    /** {@return the line} Writes the file, which only its owner may read. */
    static String words(Throwable error) {
        return what(error) + "; " + details(error);
    }

    private static String what(Throwable error) {
        return error instanceof OutOfMemoryError
                ? "out of memory, with at most "
                        + Runtime.getRuntime().maxMemory() / MEGABYTE
                        + " MB of heap (" + error.getMessage()
                        + "): give more by HUBMARK_JAVA_OPTS=-Xmx"
                : "an error of the program itself: " + error;
    }

    private static String details(Throwable error) {
        StringWriter text = new StringWriter();
        text.append("hubmark ")
                .append(CommandParser.version(UnexpectedError.class))
                .append(", ")
                .append(System.getProperty("java.vm.version"))
                .append(", ")
                .append(Instant.now().toString())
                .append('\n');
        error.printStackTrace(new PrintWriter(text, true));
        try {
            Path file = Files.createTempFile("hubmark-error-", ".txt");
            Files.writeString(file, text.toString());
            return "the details are in " + file;
        } catch (IOException e) {
            return "no file could be written for the details";
        }
    }
}
