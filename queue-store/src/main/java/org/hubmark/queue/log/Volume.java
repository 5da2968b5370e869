package org.hubmark.queue.log;

import java.io.IOException;
import java.util.List;

/**
 * A flat set of files on one medium: what the intake log needs of a disk, and no more. Any thread.
 *
 * <p>What was written survives a power loss only after {@link VolumeFile#sync}; a new, renamed or
 * deleted name only after {@link #syncNames}.
 */
public interface Volume {
    /** {@return the names of all files, in order} */
    List<String> list() throws IOException;

    /** Makes an empty file and opens it; fails when the name is taken. */
    VolumeFile create(String name) throws IOException;

    /** Opens a file that is there, for reading and writing. */
    VolumeFile open(String name) throws IOException;

    /** Opens a file that is there, for reading alone: it takes fewer file descriptors. */
    default VolumeFile openToRead(String name) throws IOException {
        return open(name);
    }

    /** Gives a file another name, in one step; fails when that name is taken. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file; one that is open stays readable until it is closed. */
    void delete(String name) throws IOException;

    /** Makes names durable: what was created, renamed and deleted so far. */
    void syncNames() throws IOException;

    /** {@return the bytes that can still be written to new files} */
    long freeBytes() throws IOException;

    /** {@return where a file is, as an operator would find it} */
    String describe(String name);
}
