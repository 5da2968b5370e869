package org.hubmark.core;

import com.sun.management.UnixOperatingSystemMXBean;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Says in words what Java's exceptions of the file system say by the name of their class. */
public final class FileErrors {
    private static final Path NULL_DEVICE = Path.of("/dev/null");

    /** Free descriptors that count as none: others may have closed some since. */
    private static final long DESCRIPTORS_SPARE = 4;

    private FileErrors() {}

    /**
     * {@return whether an operation failed because the process, or the machine, has no file descriptor
     * left (EMFILE, ENFILE)} Java says that by a text in the operator's language only, so it is found out
     * by opening a file that can always be opened. Ask at once: a moment later there may be one again.
     */
    public static boolean isOutOfDescriptors(Throwable failure) {
        boolean fromSystem = false;
        for (Throwable cause = failure; cause != null && !fromSystem; cause = cause.getCause()) {
            fromSystem = cause instanceof IOException;
        }
        return fromSystem && (lacksDescriptor() || descriptorsLeft() < DESCRIPTORS_SPARE);
    }

    /** {@return how many file descriptors this process may have, or the greatest long if unknown} */
    public static long descriptorsMax() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    private static boolean lacksDescriptor() {
        try (InputStream device = Files.newInputStream(NULL_DEVICE)) {
            return false;
        } catch (IOException e) {
            return Files.exists(NULL_DEVICE);
        }
    }

    private static long descriptorsLeft() {
        try {
            return ManagementFactory.getOperatingSystemMXBean()
                            instanceof UnixOperatingSystemMXBean system
                    ? system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount()
                    : Long.MAX_VALUE;
        } catch (InternalError e) {
            // It counts the names in a folder, which it opens.
            return 0;
        }
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
