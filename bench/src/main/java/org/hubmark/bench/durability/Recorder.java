package org.hubmark.bench.durability;

import org.hubmark.bench.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A file system on a device whose power can be cut: a process that records writes and flushes
 * ({@link RecorderMain}), a loop device with direct I/O over the file it shows, and ext4 or XFS on
 * that. Takes root. Removes all of it when closed, and when this process ends. One thread.
 */
final class Recorder implements AutoCloseable {
    /** XFS wants 300 MB; what is not written takes no memory. */
    private static final long BYTES = 320L << 20;

    private static final long READY_MILLIS_MAX = 20_000;
    private static final long POLL_MILLIS = 5;
    private static final int UNMOUNT_ATTEMPTS = 40;
    private static final long UNMOUNT_PAUSE_MILLIS = 50;
    private static final String MOUNT = "exec 0<>/dev/fuse; mount -i -t fuse"
            + " -o fd=0,rootmode=040000,user_id=0,group_id=0 hubmark-recorder \"$1\" || exit 1;"
            + " shift; exec \"$@\"";

    private final Path shown;
    private final Path live;
    private final Path crashed;
    private final String filesystem;
    private final Process process;
    private final Thread closer = new Thread(this::closeQuietly, "remove-devices");
    private String liveDevice = "";
    private String crashedDevice = "";
    private int cuts;
    private boolean mounted;

    private Recorder(Path folder, String filesystem, Process process) {
        this.shown = folder.resolve("recorder");
        this.live = folder.resolve("live");
        this.crashed = folder.resolve("crashed");
        this.filesystem = filesystem;
        this.process = process;
    }

    /** {@return why it can't be had on this machine, or null if it can} */
    static @Nullable String obstacle() throws IOException {
        if (!SystemTool.root()) {
            return "not root, and a file system of its own needs that";
        }
        for (String device : List.of("/dev/fuse", "/dev/loop-control")) {
            if (!Files.exists(Path.of(device))) {
                return "the kernel has no " + device + " (modprobe fuse, modprobe loop)";
            }
        }
        for (String tool :
                List.of("losetup", "mount", "umount", "mkfs.ext4", "e2fsck", "mkfs.xfs")) {
            if (!SystemTool.exists(tool)) {
                return "there is no " + tool
                        + " on PATH (apt-get install mount util-linux e2fsprogs xfsprogs)";
            }
        }
        return null;
    }

    /**
     * Makes the device and an empty file system on it.
     *
     * @param folder absent or empty
     * @param filesystem ext4 or xfs
     */
    static Recorder create(Path folder, String filesystem)
            throws IOException, InterruptedException {
        Path home = folder.toAbsolutePath();
        Path shown = Files.createDirectories(home.resolve("recorder"));
        Files.createDirectories(home.resolve("live"));
        Files.createDirectories(home.resolve("crashed"));
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        MOUNT,
                        "sh",
                        shown.toString(),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecorderMain.class.getName(),
                        Long.toString(BYTES),
                        Long.toString(ProcessHandle.current().pid()),
                        shown.toString())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("recorder.txt").toFile())
                .start();
        Recorder recorder = new Recorder(home, filesystem, process);
        Runtime.getRuntime().addShutdownHook(recorder.closer);
        boolean made = false;
        try {
            recorder.make();
            made = true;
            return recorder;
        } finally {
            if (!made) {
                recorder.close();
            }
        }
    }

    /** {@return the folder whose power can be cut} */
    Path live() {
        return live;
    }

    /** Keeps the device as it would be if the power went now. {@return its number} */
    int cut(long seed) throws IOException {
        int number = ++cuts;
        control("cut " + number + " " + seed);
        return number;
    }

    /**
     * Gives the power back to a device that was cut: repairs the file system and mounts it.
     *
     * @return the folder
     * @throws IOException if the file system is beyond repair
     */
    Path mount(int number) throws IOException, InterruptedException {
        crashedDevice = attach(shown.resolve("crash-" + number));
        if (filesystem.equals("ext4")) {
            // Replays the journal; 1 means that it mended something, 4 that it could not.
            SystemTool.run(
                    List.of("sh", "-c", "e2fsck -fp \"$1\" || [ $? -eq 1 ]", "sh", crashedDevice));
        }
        mountCrashed();
        if (filesystem.equals("xfs")) {
            // Mounting replays the log, without which there is nothing to check.
            unmount(crashed);
            SystemTool.run(List.of("xfs_repair", "-n", crashedDevice));
            mountCrashed();
        }
        mounted = true;
        return crashed;
    }

    /** Takes away what {@link #mount} has brought. */
    void unmount(int number) throws IOException, InterruptedException {
        if (mounted) {
            mounted = false;
            unmount(crashed);
        }
        detach(crashedDevice);
        crashedDevice = "";
        control("drop " + number);
    }

    /** Copies a cut device, as it was before anything was repaired, to a file. */
    void save(int number, Path file) throws IOException {
        SystemTool.run(List.of(
                "cp",
                "--sparse=always",
                shown.resolve("kept-" + number).toString(),
                file.toString()));
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

    private void make() throws IOException, InterruptedException {
        Path image = shown.resolve("image");
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS_MAX);
        while (!Files.exists(image)) {
            if (!process.isAlive() || System.nanoTime() > deadlineNanos) {
                throw new IOException("the recorded device can't be made: "
                        + Files.readString(shown.resolveSibling("recorder.txt")).trim());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        liveDevice = attach(image);
        SystemTool.run(
                filesystem.equals("ext4")
                        ? List.of(
                                "mkfs.ext4",
                                "-q",
                                "-F",
                                "-J",
                                "size=8",
                                "-E",
                                "nodiscard,lazy_itable_init=0,lazy_journal_init=1",
                                liveDevice)
                        : List.of("mkfs.xfs", "-q", "-f", "-K", liveDevice));
        SystemTool.run(List.of("mount", "-t", filesystem, liveDevice, live.toString()));
    }

    /** XFS refuses two of the same identity, and the one that it was is still mounted. */
    private void mountCrashed() throws IOException {
        List<String> command = new ArrayList<>(List.of("mount", "-t", filesystem));
        if (filesystem.equals("xfs")) {
            command.addAll(List.of("-o", "nouuid"));
        }
        command.addAll(List.of(crashedDevice, crashed.toString()));
        SystemTool.run(command);
    }

    private static String attach(Path file) throws IOException {
        return SystemTool.run(
                List.of("losetup", "--find", "--show", "--direct-io=on", file.toString()));
    }

    private static void detach(String device) throws IOException {
        if (!device.isEmpty()) {
            SystemTool.run(List.of("losetup", "--detach", device));
        }
    }

    /** A process that was killed may hold its files for another moment. */
    private static void unmount(Path folder) throws IOException, InterruptedException {
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

    private void control(String line) throws IOException {
        Files.writeString(shown.resolve("control"), line, StandardOpenOption.WRITE);
    }

    /** Takes away whatever is there, the newest first; a failure of one step is not the last word. */
    private void closeQuietly() {
        for (List<String> step : List.of(
                List.of("umount", "-q", crashed.toString()),
                List.of("losetup", "--detach", crashedDevice),
                List.of("umount", "-q", live.toString()),
                List.of("losetup", "--detach", liveDevice),
                List.of("umount", "-q", shown.toString()))) {
            if (!step.getLast().isEmpty()) {
                attempt(step);
            }
        }
        process.destroyForcibly();
        process.onExit().join();
        attempt(List.of("umount", "-q", "-l", live.toString()));
        attempt(List.of("umount", "-q", "-l", shown.toString()));
    }

    private static void attempt(List<String> command) {
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            // The tool was there when the device was made.
            throw new UncheckedIOException(e);
        }
    }
}
