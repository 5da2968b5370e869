package org.hubmark.bench.durability;

import org.hubmark.bench.durability.unsynced.FileRecorderMain;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A folder of which every write, every change of a name and every flush is recorded: the mount of a
 * process of its own ({@link FileRecorderMain}). Takes root. The folder is gone when this is closed, and
 * when this process ends; the record stays. One thread.
 */
final class FileRecorder implements AutoCloseable {
    private static final long READY_MILLIS_MAX = 20_000;
    private static final long END_SECONDS_MAX = 20;
    private static final long POLL_MILLIS = 5;
    /** Exit code of a JVM that was told to end. */
    private static final int TERMINATED = 143;

    private static final String MOUNT = "exec 0<>/dev/fuse; mount -i -t fuse -o fd=0,"
            + "rootmode=040000,user_id=0,group_id=0,allow_other,default_permissions"
            + " hubmark-files \"$1\" || exit 1; shift; exec \"$@\"";

    private final Path data;
    private final Process process;
    private final Thread closer = new Thread(this::closeQuietly, "remove-recorded-files");

    private FileRecorder(Path data, Process process) {
        this.data = data;
        this.process = process;
    }

    /** {@return why it can't be had on this machine, or null if it can} */
    static @Nullable String obstacle() throws IOException {
        if (!SystemTool.root()) {
            return "not root, and a file system of its own needs that";
        }
        if (!Files.exists(Path.of("/dev/fuse"))) {
            return "the kernel has no /dev/fuse (modprobe fuse)";
        }
        return null;
    }

    /**
     * Mounts an empty folder.
     *
     * @param folder for it and what its process says
     * @param record the file for the record
     * @throws MountException if the kernel refuses, as in most containers
     */
    static FileRecorder create(Path folder, Path record, long seed)
            throws IOException, InterruptedException {
        Path home = folder.toAbsolutePath();
        Path data = Files.createDirectories(home.resolve("data"));
        Path said = home.resolve("recorder.txt");
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        MOUNT,
                        "sh",
                        data.toString(),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FileRecorderMain.class.getName(),
                        record.toAbsolutePath().toString(),
                        Long.toString(seed),
                        Long.toString(ProcessHandle.current().pid()),
                        data.toString())
                .redirectErrorStream(true)
                .redirectOutput(OutputFile.log(said))
                .start();
        FileRecorder recorder = new FileRecorder(data, process);
        Runtime.getRuntime().addShutdownHook(recorder.closer);
        boolean mounted = false;
        try {
            long deadlineNanos =
                    System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS_MAX);
            while (!mounted) {
                if (!process.isAlive() || System.nanoTime() > deadlineNanos) {
                    throw new MountException("the recorded folder can't be made: "
                            + Files.readString(said).trim());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                mounted = Files.readString(Path.of("/proc/mounts")).contains(" " + data + " ");
            }
            return recorder;
        } finally {
            if (!mounted) {
                recorder.close();
            }
        }
    }

    /** The kernel refuses to mount it; the message says why. */
    static final class MountException extends IOException {
        private static final long serialVersionUID = 1L;

        private MountException(String message) {
            super(message);
        }
    }

    /** {@return the folder} */
    Path data() {
        return data;
    }

    /**
     * Unmounts the folder, which nobody may use any more, and ends the record. The process is told to end,
     * since a mount namespace that somebody made meanwhile may have the folder still.
     */
    void end() throws IOException, InterruptedException {
        Filesystem.unmount(data);
        process.destroy();
        if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)
                || (process.exitValue() != 0 && process.exitValue() != TERMINATED)) {
            throw new IOException("the recorder of files has failed: "
                    + Files.readString(data.resolveSibling("recorder.txt")).trim());
        }
    }

    @Override
    public void close() {
        closeQuietly();
        try {
            Runtime.getRuntime().removeShutdownHook(closer);
        } catch (IllegalStateException e) {
            // We are ending, and the hook does the same.
            return;
        }
    }

    private void closeQuietly() {
        if (process.isAlive()) {
            try {
                SystemTool.attempt(List.of("umount", "-q", "-l", data.toString()));
            } catch (IOException e) {
                // The tool was there when the folder was mounted.
                throw new UncheckedIOException(e);
            }
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
