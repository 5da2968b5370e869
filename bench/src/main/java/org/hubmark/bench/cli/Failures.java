package org.hubmark.bench.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What to say of an error of the file system; some of Java's are only the name of a file. */
final class Failures {
    private Failures() {}

    static String text(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> denied.getFile() + ": permission denied";
            case NoSuchFileException absent -> absent.getFile() + " is not there";
            case NotDirectoryException file -> file.getFile() + " is not a folder";
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }
}
