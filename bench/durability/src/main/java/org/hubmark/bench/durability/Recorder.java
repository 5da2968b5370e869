package org.hubmark.bench.durability;

import org.hubmark.bench.machine.ExitHook;
import org.hubmark.bench.machine.volumes.Filesystem;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * File systems on devices whose power can be cut: a process that records writes and flushes ({@link
 * RecorderMain}), a loop device with direct I/O over each file it shows, and ext4 on those.
 * Takes root. Removes all of it when closed, and when this process ends. One thread.
 */
public final class Recorder implements AutoCloseable {
    /** Half of what all devices can hold, but at least that much, is room enough in every test. */
    private static final long HEAP_BYTES_MIN = 1L << 30;

    private static final long READY_MILLIS_MAX = 20_000;
    private static final long POLL_MILLIS = 5;
    private static final String MOUNT = "exec 0<>/dev/fuse; mount -i -t fuse"
            + " -o fd=0,rootmode=040000,user_id=0,group_id=0 hubmark-recorder \"$1\" || exit 1;"
            + " shift; exec \"$@\"";

    private final Path shown;
    private final Path live;
    private final Path crashed;
    private final Layout layout;
    private final Process process;
    private final ExitHook hook = new ExitHook("remove-devices", this::remove);
    private final List<String> liveDevices = new ArrayList<>();
    private final List<String> crashedDevices = new ArrayList<>();
    private final List<Path> mounted = new ArrayList<>();

    private Recorder(Path folder, Layout layout, Process process) {
        this.shown = folder.resolve("recorder");
        this.live = folder.resolve("live");
        this.crashed = folder.resolve("crashed");
        this.layout = layout;
        this.process = process;
    }

    /** {@return why it can't be had on this machine, or null if it can} */
    public static @Nullable String obstacle() throws IOException {
        String loop = TestVolumes.obstacle();
        return loop != null || Files.exists(Path.of("/dev/fuse"))
                ? loop
                : "the kernel has no /dev/fuse (modprobe fuse)";
    }

    /**
     * Makes the devices and an empty file system on each.
     *
     * @param folder absent or empty
     */
    static Recorder create(Path folder, Layout layout) throws IOException, InterruptedException {
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
                        "-Xmx" + heapBytes(layout),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecorderMain.class.getName(),
                        Integer.toString(layout.volumes().size()),
                        Long.toString(Layout.DEVICE_BYTES),
                        Long.toString(ProcessHandle.current().pid()),
                        shown.toString())
                .redirectErrorStream(true)
                .redirectOutput(OutputFile.log(home.resolve("recorder.txt")))
                .start();
        Recorder recorder = new Recorder(home, layout, process);
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

    private static long heapBytes(Layout layout) {
        return Math.max(HEAP_BYTES_MIN, layout.volumes().size() * Layout.DEVICE_BYTES / 2);
    }

    /** {@return the folder whose power can be cut} */
    Path data() {
        return Layout.data(live);
    }

    /** Keeps the devices as they would be if the power went now. */
    void cut(int number, long seed) throws IOException {
        control("cut " + number + " " + seed);
    }

    /** From now on a flush is acknowledged and nothing more. */
    void ignoreFlushes() throws IOException {
        control("ignore-flushes");
    }

    /**
     * Gives the power back to devices that were cut and mounts their file systems, which replays
     * their journals.
     *
     * @return the folder of the server's files
     * @throws IOException if a file system can't be mounted
     */
    Path mount(int number) throws IOException {
        attach("crash-" + number, crashedDevices);
        for (String volume : layout.volumes()) {
            mounted.add(mount(volume, crashed, crashedDevices));
        }
        return Layout.data(crashed);
    }

    private void attach(String name, List<String> devices) throws IOException {
        for (int i = 0; i < layout.volumes().size(); i++) {
            devices.add(TestVolumes.attach(shown.resolve(name + "-" + i)));
        }
    }

    private Path mount(String volume, Path root, List<String> devices) throws IOException {
        Path folder = Files.createDirectories(layout.mountPoint(root, volume));
        Filesystem.EXT4.mount(devices.get(layout.device(volume)), folder);
        return folder;
    }

    /** Takes away what {@link #mount} has brought, but for what is on the devices. */
    void unmount() throws IOException, InterruptedException {
        for (Path folder : mounted.reversed()) {
            Filesystem.unmount(folder);
        }
        mounted.clear();
        for (String device : crashedDevices) {
            SystemTool.run(List.of("losetup", "--detach", device));
        }
        crashedDevices.clear();
    }

    /** Forgets what a cut has left. */
    void drop(int number) throws IOException {
        control("drop " + number);
    }

    @Override
    public void close() {
        remove();
        hook.close();
    }

    private void make() throws IOException, InterruptedException {
        Path first = shown.resolve(VolatileDisks.LIVE + "-0");
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS_MAX);
        while (!Files.exists(first)) {
            if (!process.isAlive() || System.nanoTime() > deadlineNanos) {
                throw new IOException("the recorded devices can't be made: "
                        + Files.readString(shown.resolveSibling("recorder.txt")).trim());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        attach(VolatileDisks.LIVE, liveDevices);
        for (String volume : layout.volumes()) {
            Filesystem.EXT4.make(
                    liveDevices.get(layout.device(volume)), List.of("-b", "4096", "-J", "size=8"));
            mount(volume, live, liveDevices);
        }
        // The folder itself is no mail.
        Files.createDirectories(data());
        for (String volume : layout.volumes()) {
            SystemTool.run(List.of("sync", "-f", data().resolve(volume).toString()));
        }
    }

    /** In one write, whatever its length. */
    private void control(String line) throws IOException {
        try (FileChannel file =
                FileChannel.open(shown.resolve("control"), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /** Takes away whatever is there, the newest first; a failure of one step is not the last word. */
    private void remove() {
        List<String> volumes = layout.volumes().reversed();
        unmountQuietly(crashed, volumes, crashedDevices);
        unmountQuietly(live, volumes, liveDevices);
        attempt(List.of("umount", "-q", shown.toString()));
        process.destroyForcibly();
        process.onExit().join();
        for (String volume : volumes) {
            attempt(List.of(
                    "umount", "-q", "-l", layout.mountPoint(live, volume).toString()));
        }
        attempt(List.of("umount", "-q", "-l", shown.toString()));
    }

    private void unmountQuietly(Path root, List<String> volumes, List<String> devices) {
        for (String volume : volumes) {
            attempt(List.of("umount", "-q", layout.mountPoint(root, volume).toString()));
        }
        for (String device : devices) {
            attempt(List.of("losetup", "--detach", device));
        }
    }

    private static void attempt(List<String> command) {
        try {
            SystemTool.attempt(command);
        } catch (IOException e) {
            // The tool was there when the device was made.
            throw new UncheckedIOException(e);
        }
    }
}
