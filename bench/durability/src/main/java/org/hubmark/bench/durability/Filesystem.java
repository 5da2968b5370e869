package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The file systems on recorded devices, by the system's own tools. The journal may lie apart. */
enum Filesystem {
    EXT4,
    XFS;

    /** 8 MiB of 4 KiB, as much as a journal inside gets here. */
    private static final String JOURNAL_BLOCKS = "2048";

    private static final int UNMOUNT_ATTEMPTS = 40;
    private static final long UNMOUNT_PAUSE_MILLIS = 50;

    /** {@return what makes it, on PATH} */
    String tool() {
        return "mkfs." + this;
    }

    /** Makes it, empty. */
    void make(String device, @Nullable String journal) throws IOException {
        switch (this) {
            case EXT4 -> {
                if (journal != null) {
                    SystemTool.run(List.of(
                            tool(), "-qF", "-b4096", "-Ojournal_dev", journal, JOURNAL_BLOCKS));
                }
                SystemTool.run(List.of(
                        tool(),
                        "-qF",
                        "-b4096",
                        "-Enodiscard,lazy_itable_init=0,lazy_journal_init=1",
                        "-J" + (journal == null ? "size=8" : "device=" + journal),
                        device));
            }
            case XFS -> {
                List<String> command = new ArrayList<>(List.of("mkfs.xfs", "-q", "-f", "-K"));
                if (journal != null) {
                    command.addAll(List.of("-l", "logdev=" + journal + ",size=64m"));
                }
                command.add(device);
                SystemTool.run(command);
            }
        }
    }

    /**
     * Mounts it, which replays its journal.
     *
     * @param twin whether the one that it is a copy of is mounted too
     */
    void mount(String device, @Nullable String journal, Path folder, boolean twin)
            throws IOException {
        List<String> options = new ArrayList<>();
        if (journal != null) {
            options.add((this == EXT4 ? "journal_path=" : "logdev=") + journal);
        }
        if (this == XFS && twin) {
            options.add("nouuid");
        }
        List<String> command = new ArrayList<>(List.of("mount", "-t", toString()));
        if (!options.isEmpty()) {
            command.addAll(List.of("-o", String.join(",", options)));
        }
        command.addAll(List.of(device, folder.toString()));
        SystemTool.run(command);
    }

    /** A process that was killed may hold its files for another moment. */
    static void unmount(Path folder) throws IOException, InterruptedException {
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
