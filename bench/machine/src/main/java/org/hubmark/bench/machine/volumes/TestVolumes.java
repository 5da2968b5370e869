package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;

import org.hubmark.bench.machine.devices.Mount;
import org.hubmark.bench.machine.devices.VolumesJson;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.StoreSearch;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.core.FileOwners;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Makes and removes test volumes. What is made is written to a state file before anything but its
 * empty folder is made, so that exactly that can be removed, also after a crash in between. One
 * process at a time.
 */
public final class TestVolumes {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final long BLOCK_BYTES = 4096;
    /** What is left to the file system that the image lies on. */
    private static final long SPARE_BYTES = 256_000_000;

    private final Path folder;
    private final Path state;

    /**
     * What to make.
     *
     * @param path the folder that becomes the volume; absent or empty
     * @param sizeBytes of the volume
     * @param profile the device to act like, or null
     */
    public record Request(
            Path path, long sizeBytes, @Nullable DeviceProfile profile) {}

    /** The test volumes whose state, images and library are kept in that folder. */
    public TestVolumes(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
        this.state = this.folder.resolve("volumes.json");
    }

    /**
     * {@return what was made and not yet removed}
     *
     * @throws IOException also where another user could have put the list there
     */
    public List<TestVolume> list() throws IOException {
        String other = FileOwners.other(state);
        if (other != null) {
            throw new IOException("test volumes are not kept in " + folder + ": " + other
                    + ", who could have other files removed by their list; name another folder");
        }
        if (!Files.exists(state)) {
            return List.of();
        }
        try {
            return VolumesJson.MAPPER.readValue(
                    Files.readString(state), new TypeReference<List<TestVolume>>() {});
        } catch (JacksonException e) {
            throw new IOException(
                    state + " is not a list of test volumes: " + e.getOriginalMessage(), e);
        }
    }

    /** Notes a volume in place of what was noted of its folder, or that there is none any more. */
    private void note(TestVolume volume, boolean isThere) throws IOException {
        List<TestVolume> all = new ArrayList<>(list());
        all.removeIf(one -> one.path().equals(volume.path()));
        if (isThere) {
            all.add(volume);
        }
        Files.createDirectories(folder);
        if (all.isEmpty()) {
            Files.deleteIfExists(state);
        } else {
            OutputFile.write(state, VolumesJson.write(all));
        }
    }

    /** {@return the bytes that images may take in its folder, those that are there included} */
    public long roomBytes() throws IOException {
        Path around = folder;
        while (!Files.exists(around)) {
            around = Objects.requireNonNull(around.getParent(), "the root exists");
        }
        long imageBytes = list().stream()
                .map(TestVolume::sizeBytes)
                .flatMap(Stream::ofNullable)
                .mapToLong(Long::longValue)
                .sum();
        return Math.max(0, Files.getFileStore(around).getUsableSpace() + imageBytes - SPARE_BYTES);
    }

    /** {@return why volumes of their own can't be made here, only folders; null if they can} */
    public static @Nullable String obstacle() throws IOException {
        if (!SystemTool.root()) {
            return "not root";
        }
        if (!Files.exists(Path.of("/dev/loop-control"))) {
            return "the kernel has no loop devices (modprobe loop)";
        }
        for (String tool : List.of("losetup", "mount", "umount", Filesystem.EXT4.tool())) {
            if (!SystemTool.exists(tool)) {
                return "there is no " + tool + " on PATH";
            }
        }
        return null;
    }

    /** Makes a plain folder that has only the emulation of a device, for which no root is needed. */
    public TestVolume createFolder(Path path, DeviceProfile profile) throws IOException {
        boolean made = checkFolder(path);
        Files.createDirectories(path);
        TestVolume volume = new TestVolume(
                path.toRealPath().toString(),
                made,
                null,
                null,
                null,
                null,
                profile.toString(),
                inode(path));
        note(volume, true);
        return volume;
    }

    /**
     * Makes a file system of its own on a loop device, and mounts it. Takes root.
     *
     * @throws IOException if that fails; what was made until then is removed again
     */
    public TestVolume create(Request request) throws IOException {
        boolean made = checkFolder(request.path());
        Files.createDirectories(folder);
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < request.sizeBytes() + SPARE_BYTES) {
            throw new IOException("not enough space in " + folder + " for an image of "
                    + request.sizeBytes() + " bytes: " + free + " are free, and " + SPARE_BYTES
                    + " have to stay so");
        }
        Files.createDirectories(request.path());
        Path path = request.path().toRealPath();
        Path image = folder.toRealPath()
                .resolve(path.getFileName() + "-" + Long.toHexString(System.nanoTime()) + ".img");
        TestVolume volume = new TestVolume(
                path.toString(),
                made,
                Filesystem.EXT4.toString(),
                request.sizeBytes(),
                image.toString(),
                null,
                request.profile() == null ? null : request.profile().toString(),
                null);
        note(volume, true);
        try {
            // In whole blocks: losetup leaves out, and complains of, what is over.
            fill(image, request.sizeBytes() / BLOCK_BYTES * BLOCK_BYTES);
            String device = attach(image);
            volume = volume.withLoopDevice(device);
            note(volume, true);
            mount(request, volume, device);
        } catch (IOException e) {
            destroy(volume);
            throw e;
        }
        return volume;
    }

    /** {@return the write cache of the device of a volume, as the kernel treats it; none of a folder} */
    public static List<WriteCache> writeCaches(TestVolume volume) throws IOException {
        String image = volume.image();
        return image == null
                ? List.of()
                : loopDevices(image).stream().map(TestVolumes::writeCache).toList();
    }

    /** {@return which process uses a store on a volume, in words, or null} */
    public @Nullable String user(TestVolume volume) throws IOException {
        return StoreSearch.user(List.of(Path.of(volume.path())));
    }

    /** {@return what mail there may be on a volume, in words, or null} */
    public @Nullable String mail(TestVolume volume) throws IOException {
        return StoreSearch.mail(
                List.of(Path.of(volume.path())),
                list().stream().map(one -> Path.of(one.path())).toList());
    }

    /**
     * Removes what was made for one volume, with what is on it. What is gone already is passed over.
     */
    public void destroy(TestVolume volume) throws IOException {
        Path path = Path.of(volume.path());
        String image = volume.image();
        if (image == null) {
            refuseMounts(path);
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                requireMade(volume, path);
                Folders.empty(path);
            }
        } else {
            if (!folder.toRealPath().equals(Path.of(image).getParent())) {
                throw new IOException(image + " is not in " + folder + "; it was not removed");
            }
            for (String device : loopDevices(image)) {
                unmount(device);
                // The next user of the loop device would inherit it, and get syncs without flushes.
                var unused = writeCache(device).set(true);
                SystemTool.run(List.of("losetup", "--detach", device));
            }
            Files.deleteIfExists(Path.of(image));
        }
        if (volume.madeFolder() && Files.isDirectory(path)) {
            Files.delete(path);
        }
        note(volume, false);
    }

    /** Another folder may have taken the name since; what is in it is not ours. */
    private static void requireMade(TestVolume volume, Path path) throws IOException {
        if (!isEmpty(path) && !inode(path).equals(volume.inode())) {
            throw new IOException(path + " is not the folder that was made a test volume; what is"
                    + " in it was not removed: empty it if its content is not needed");
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    private static Long inode(Path folder) throws IOException {
        return (Long) Files.getAttribute(folder, "unix:ino");
    }

    /**
     * The emulation of the devices of all volumes that have a profile.
     *
     * @throws IOException if the library can't be built
     */
    public SyncEmulation emulation() throws IOException {
        List<SyncEmulation.Device> devices = new ArrayList<>();
        for (TestVolume volume : list()) {
            if (volume.profile() != null && Files.isDirectory(Path.of(volume.path()))) {
                devices.add(new SyncEmulation.Device(
                        Path.of(volume.path()), DeviceProfile.named(volume.profile()), 1));
            }
        }
        return SyncEmulation.prepare(folder.resolve("emulation"), devices);
    }

    private boolean checkFolder(Path path) throws IOException {
        if (!Files.exists(path)) {
            return true;
        }
        if (!Files.isDirectory(path)) {
            throw new IOException(path + " exists and is not a folder");
        }
        if (!isEmpty(path)) {
            throw new IOException(path + " is not empty; name a folder that is empty or absent");
        }
        for (TestVolume volume : list()) {
            if (path.toRealPath().equals(Path.of(volume.path()))) {
                throw new IOException(path + " is a test volume already");
            }
        }
        return false;
    }

    /** Written, not only allocated: else each first write of a block changes metadata too. */
    private static void fill(Path image, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES);
        try (FileChannel channel =
                FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; left -= zeros.limit()) {
                zeros.clear().limit((int) Math.min(CHUNK_BYTES, left));
                while (zeros.hasRemaining()) {
                    channel.write(zeros);
                }
            }
            channel.force(true);
        }
    }

    private static void mount(Request request, TestVolume volume, String device)
            throws IOException {
        // None of the devices that are emulated is sent flushes: it has no volatile cache, or
        // does not honour them.
        if (request.profile() != null) {
            var unused = writeCache(device).set(false);
        }
        Filesystem.EXT4.make(device, List.of());
        Filesystem.EXT4.mount(device, Path.of(volume.path()));
    }

    private static List<String> loopDevices(String image) throws IOException {
        List<String> devices = new ArrayList<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(Path.of("/sys/class/block"), "loop*")) {
            for (Path device : all) {
                if (image.equals(new HostFiles(device).line("loop/backing_file"))) {
                    devices.add("/dev/" + device.getFileName());
                }
            }
        }
        return devices;
    }

    /**
     * {@return a loop device over a file, which gets flushes} It keeps the setting of who used its number
     * last and may have been killed: without flushes what was synced is lost at a power cut.
     */
    public static String attach(Path file) throws IOException {
        String device = SystemTool.run(
                List.of("losetup", "--find", "--show", "--direct-io=on", file.toString()));
        try {
            var unused = writeCache(device).set(true);
        } catch (IOException e) {
            SystemTool.run(List.of("losetup", "--detach", device));
            throw e;
        }
        return device;
    }

    private static WriteCache writeCache(String device) {
        String name = device.replace("/dev/", "");
        return WriteCache.ofFiles(Path.of("/sys/class/block", name, "queue/write_cache"));
    }

    private static void unmount(String device) throws IOException {
        for (Mount mount : Mount.all()) {
            if (mount.source().equals(device)) {
                SystemTool.run(List.of("umount", mount.point().toString()));
            }
        }
    }

    private static void refuseMounts(Path path) throws IOException {
        for (Mount mount : Mount.all()) {
            if (mount.point().startsWith(path)) {
                throw new IOException(mount.point() + " is mounted within the test volume " + path
                        + "; unmount it first");
            }
        }
    }
}
