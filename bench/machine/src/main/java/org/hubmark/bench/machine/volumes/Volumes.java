package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells what lies behind a folder. */
public final class Volumes {
    private static final Pattern CHOSEN = Pattern.compile("\\[(.+)]");

    private Volumes() {}

    /** Looks at an existing folder. */
    public static Volume inspect(String role, Path folder) throws IOException {
        Mount mount = Mount.of(folder);
        String device = device(folder);
        Path queue = device == null ? null : queue(device);
        String rotational = queue == null ? null : line(queue.resolve("rotational"));
        return new Volume(
                role,
                folder.toString(),
                device,
                mount == null ? null : mount.filesystem(),
                mount == null ? null : mount.options(),
                queue == null ? null : line(queue.resolve("write_cache")),
                rotational == null ? null : rotational.equals("1"),
                queue == null ? null : scheduler(line(queue.resolve("scheduler"))),
                Files.getFileStore(folder).getUsableSpace(),
                null,
                null,
                null,
                null,
                Storage.of(folder));
    }

    /**
     * Looks at an existing folder for the results of a run.
     *
     * @param facts of the folder, with the device that it acts like
     * @param syncs whether a sync there is worth something; null where nobody looked
     */
    public static Volume inspect(
            String role, Path folder, VolumeFacts facts, @Nullable SyncReliability syncs)
            throws IOException {
        Volume seen = inspect(role, folder);
        DeviceProfile profile =
                facts.emulates() == null ? null : DeviceProfile.named(facts.emulates());
        return new Volume(
                seen.role(),
                seen.path(),
                seen.device(),
                seen.filesystem(),
                seen.mountOptions(),
                profile == null ? seen.writeCache() : profile.writeCache(),
                profile == null ? seen.rotational() : Boolean.valueOf(profile.rotational()),
                seen.scheduler(),
                seen.freeBytes(),
                facts.emulates(),
                syncs == null ? null : verdict(syncs),
                syncs == null ? null : String.join(" ", syncs.reasons()),
                countsWrites(folder),
                seen.storage());
    }

    private static String verdict(SyncReliability syncs) {
        boolean cache = syncs.verdict() == SyncReliability.Grade.UNKNOWN
                && Boolean.TRUE.equals(syncs.cacheAnswers());
        return syncs.verdict().text() + (cache ? ", a cache answers" : "");
    }

    /**
     * {@return whether the kernel counts what is written to the device behind a folder, which is tried;
     * null where there is no device}
     */
    public static @Nullable Boolean countsWrites(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        return device == null ? null : Storage.countsWrites(folder, device);
    }

    /** {@return flushes of the disk behind a folder since the machine started; null if not counted} */
    public static @Nullable Long flushes(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        return device == null ? null : device.flushes();
    }

    /** {@return the kernel's name of the block device, or null for a virtual file system} */
    public static @Nullable String device(Path folder) throws IOException {
        long number = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
        // How glibc's gnu_dev_major and gnu_dev_minor read a dev_t.
        long major = ((number >>> 8) & 0xfff) | ((number >>> 32) & ~0xfffL);
        long minor = (number & 0xff) | ((number >>> 12) & ~0xffL);
        Path link = Path.of("/sys/dev/block/" + major + ":" + minor);
        return Files.exists(link) ? link.toRealPath().getFileName().toString() : null;
    }

    /** {@return the numbers of the disk below a folder, MAJOR:MINOR, or null for a virtual file system} */
    public static @Nullable String diskNumber(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        return device == null ? null : device.disk().line("dev");
    }

    /** A partition has no queue of its own, its disk has. */
    private static @Nullable Path queue(String device) throws IOException {
        Path block = Path.of("/sys/class/block", device).toRealPath();
        for (Path at = block; at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve("queue"))) {
                return at.resolve("queue");
            }
        }
        return null;
    }

    /** {@return the scheduler in force, of a line in which it stands in brackets} */
    static @Nullable String scheduler(@Nullable String line) {
        if (line == null) {
            return null;
        }
        Matcher chosen = CHOSEN.matcher(line);
        return chosen.find() ? chosen.group(1) : line;
    }

    private static @Nullable String line(Path file) throws IOException {
        return Files.isReadable(file) ? Files.readString(file).trim() : null;
    }
}
