package org.hubmark.core;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Tells whether another user of the machine could put something of his own in the place of a file.
 * Root, this user, and who became root by sudo are none of the others. Any thread.
 */
public final class FileOwners {
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;

    private FileOwners() {}

    /**
     * {@return which file or folder on the way to a path another user could replace, in words; null if
     * there is none, or the file system has no owners}
     *
     * @param path what is not there yet counts for nothing
     */
    public static @Nullable String other(Path path) throws IOException {
        Path at = path.toAbsolutePath().normalize();
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        if (at == null || !at.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return null;
        }
        Set<Object> own = own();
        for (at = at.toRealPath(); at != null; at = at.getParent()) {
            Map<String, Object> is =
                    Files.readAttributes(at, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            int mode = (Integer) Objects.requireNonNull(is.get("mode"));
            if (!own.contains(is.get("uid"))) {
                return at + " belongs to user "
                        + Files.getOwner(at, LinkOption.NOFOLLOW_LINKS).getName();
            }
            if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
                return at + " can be written by every user";
            }
        }
        return null;
    }

    /** {@return whether this process is root's} */
    public static boolean isRoot() throws IOException {
        return uid().equals(0);
    }

    private static Set<Object> own() throws IOException {
        Set<Object> own = new HashSet<>(Set.of(0));
        own.add(uid());
        String sudo = System.getenv("SUDO_UID");
        if (isRoot() && sudo != null && sudo.matches("\\d{1,9}")) {
            own.add(Integer.valueOf(sudo));
        }
        return own;
    }

    private static Object uid() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }
}
