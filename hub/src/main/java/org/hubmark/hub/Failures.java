package org.hubmark.hub;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says in words what an exception of the file system says by its class. */
final class Failures {
    private Failures() {}

    static String words(IOException e) {
        if (!(e instanceof FileSystemException failure)) {
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        String what = switch (failure) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException absent -> "no such file or folder";
            case NotDirectoryException file -> "it is not a folder";
            case FileAlreadyExistsException file -> "there is a file where a folder should be";
            default -> failure.getReason() == null ? "it failed" : failure.getReason();
        };
        return failure.getFile() + ": " + what;
    }
}
