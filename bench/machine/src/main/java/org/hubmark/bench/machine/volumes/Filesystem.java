package org.hubmark.bench.machine.volumes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Journalling file systems that can be made on a device and mounted. As root. */
public enum Filesystem {
    EXT4("-q -F -E nodiscard,lazy_itable_init=0,lazy_journal_init=0"),
    XFS("-q -f -K");

    private static final int UNMOUNT_ATTEMPTS = 40;
    private static final long UNMOUNT_PAUSE_MILLIS = 50;

    private final String options;

    Filesystem(String options) {
        this.options = options;
    }

    /** {@return what makes it, on PATH} */
    public String tool() {
        return "mkfs." + this;
    }

    /** Makes it, empty. */
    public void make(String device, List<String> more) throws IOException {
        List<String> command = new ArrayList<>(List.of(tool()));
        command.addAll(List.of(options.split(" ", -1)));
        command.addAll(more);
        command.add(device);
        SystemTool.run(command);
    }

    /** Mounts it, which replays its journal. */
    public void mount(String device, Path folder) throws IOException {
        SystemTool.run(List.of("mount", "-t", toString(), device, folder.toString()));
    }

    /** A process that was killed may hold its files for another moment. */
    public static void unmount(Path folder) throws IOException, InterruptedException {
        for (int i = 1; ; i++) {
            try {
                SystemTool.run(List.of("umount", folder.toString()));
                return;
            } catch (IOException e) {
                if (i == UNMOUNT_ATTEMPTS) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(UNMOUNT_PAUSE_MILLIS);
            }
        }
    }

    /** {@return the name that mount knows} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
