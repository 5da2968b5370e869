package org.hubmark.core;

import com.sun.management.UnixOperatingSystemMXBean;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says in words what Java's exceptions of the file system say by the name of their class. */
public final class FileErrors {
    private FileErrors() {}

    /** {@return whether an operation failed because there is no file descriptor left (EMFILE, ENFILE)} */
    public static boolean isOutOfDescriptors(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).contains("Too many open files")) {
                return true;
            }
        }
        return false;
    }

    /** {@return how many file descriptors this process may have, or the greatest long if unknown} */
    public static long descriptorsMax() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** {@return what went wrong, behind the name of the file if the exception has one} */
    public static String text(IOException e) {
        return e instanceof FileSystemException failure && failure.getFile() != null
                ? failure.getFile() + ": " + reason(e)
                : reason(e);
    }

    /** {@return what went wrong, without the name of the file} */
    public static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException absent -> "no such file or folder";
            case NotDirectoryException file -> "it is not a folder";
            case FileAlreadyExistsException file -> "there is a file where a folder should be";
            case FileSystemException failure
            when failure.getReason() != null -> failure.getReason();
            case FileSystemException failure -> "it failed";
            case CharacterCodingException text -> "it is not text in UTF-8";
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
