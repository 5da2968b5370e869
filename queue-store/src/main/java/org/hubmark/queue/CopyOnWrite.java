package org.hubmark.queue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Names the file systems that never write in place. The log writes its files once and then over and
 * over, so that it needs no room later; there each write needs some, and a full volume is found out by
 * a write that fails, which ends the store. The thin volumes of LVM are the same below any file system,
 * and can't be told from here.
 */
final class CopyOnWrite {
    private static final Set<String> TYPES = Set.of("btrfs", "zfs", "bcachefs", "f2fs", "nilfs2");
    private static final Logger LOG = LoggerFactory.getLogger(CopyOnWrite.class);

    private CopyOnWrite() {}

    /** Writes a warning if the log volume is on such a file system. */
    static void warn(Path logVolume) throws IOException {
        String type = Files.getFileStore(logVolume).type();
        if (isType(type)) {
            LOG.atWarn()
                    .addKeyValue("event", "copy_on_write")
                    .log(
                            "the log volume {} is on {}, which needs free space to overwrite data:"
                                    + " keep as much space free as the log is long, or the queue"
                                    + " stops when the volume is full; ext4 and XFS need none",
                            logVolume,
                            type);
        }
    }

    /** {@return whether a file system by its name in mount(8) is one} */
    static boolean isType(String type) {
        return TYPES.contains(type);
    }
}
