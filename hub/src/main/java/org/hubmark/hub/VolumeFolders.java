package org.hubmark.hub;

import java.nio.file.Path;
import java.util.List;

/**
 * The folders of a hub's three volumes, which are made if absent; some of them, or all, may be one.
 *
 * @param log of the intake log
 * @param queue of the queue database
 * @param tracking of the message tracking log
 */
public record VolumeFolders(Path log, Path queue, Path tracking) {
    /** The roles, in the order of {@link #all}. */
    public static final List<String> ROLES = List.of("log", "queue", "tracking");

    /** {@return folders of their own below a folder} */
    public static VolumeFolders below(Path folder) {
        return new VolumeFolders(
                folder.resolve("log"), folder.resolve("queue"), folder.resolve("tracking"));
    }

    /** {@return one folder for all} */
    public static VolumeFolders same(Path folder) {
        return new VolumeFolders(folder, folder, folder);
    }

    /** {@return log, queue, tracking} */
    public List<Path> all() {
        return List.of(log, queue, tracking);
    }

    /** {@return the folder of a role} */
    public Path of(String role) {
        return all().get(ROLES.indexOf(role));
    }
}
