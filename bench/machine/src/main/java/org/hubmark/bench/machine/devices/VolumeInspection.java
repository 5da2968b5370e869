package org.hubmark.bench.machine.devices;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Looks at volumes: what is known without measuring. */
public final class VolumeInspection {
    private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs");
    private static final Set<String> REMOTE =
            Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph", "fuse.sshfs");

    private VolumeInspection() {}

    /** Looks at existing folders. */
    public static List<VolumeFacts> inspect(List<Path> folders) throws IOException {
        List<VolumeStack> stacks = new ArrayList<>();
        for (Path folder : folders) {
            stacks.add(VolumeStack.of(folder));
        }
        List<VolumeFacts> all = new ArrayList<>();
        for (int i = 0; i < folders.size(); i++) {
            List<String> sharing = new ArrayList<>();
            for (int other = 0; other < folders.size(); other++) {
                String path = folders.get(other).toString();
                // A folder that is asked for twice doesn't share with itself.
                if (!folders.get(other).equals(folders.get(i))
                        && !sharing.contains(path)
                        && Boolean.TRUE.equals(stacks.get(i).shares(stacks.get(other)))) {
                    sharing.add(path);
                }
            }
            all.add(inspect(folders.get(i), stacks.get(i), sharing));
        }
        return all;
    }

    private static VolumeFacts inspect(Path folder, VolumeStack stack, List<String> sharing)
            throws IOException {
        FileStore store = Files.getFileStore(folder);
        VolumeFacts facts = new VolumeFacts(
                folder.toString(),
                mounted(stack.mount()),
                disk(stack),
                stack.service(),
                stack.unknown(),
                null,
                store.getTotalSpace(),
                store.getUsableSpace(),
                sharing,
                List.of());
        return facts.with(remarks(facts));
    }

    private static VolumeFacts.Mounted mounted(@Nullable Mount mount) {
        if (mount == null) {
            return new VolumeFacts.Mounted(null, null, null, List.of(), true);
        }
        List<String> options = Arrays.asList(mount.options().split(",", -1));
        return new VolumeFacts.Mounted(
                mount.point().toString(),
                mount.filesystem(),
                mount.options(),
                optionsThatMatter(options),
                barriers(options));
    }

    private static VolumeFacts.Disk disk(VolumeStack stack) throws IOException {
        Path backing = stack.backingFile();
        return new VolumeFacts.Disk(
                stack.deviceName(),
                List.copyOf(stack.media()),
                stack.model(),
                stack.rotational(),
                stack.virtual(),
                stack.scheduler(),
                stack.writeCache(),
                stack.raid(),
                backing == null ? null : backing.toString(),
                stack.directIo());
    }

    /** What changes the cost or the worth of a sync; ext4(5), xfs(5), mount(8). */
    static List<String> optionsThatMatter(List<String> options) {
        return options.stream()
                .filter(option -> option.matches("(no)?barrier(=\\d)?|data=.*|sync|dirsync|async"
                        + "|commit=.*|discard|dax.*|logbsize=.*|logdev=.*|journal_async_commit"
                        + "|delalloc|nodelalloc|noatime|relatime|strictatime|ro|wsync"
                        + "|auto_da_alloc|noauto_da_alloc|nodatacow|compress.*"))
                .distinct()
                .toList();
    }

    /** {@return whether a file system mounted so flushes the write cache of its device} */
    public static boolean barriers(List<String> options) {
        return !options.contains("nobarrier") && !options.contains("barrier=0");
    }

    /** {@return whether what is written there stays in memory} */
    public static boolean isVolatile(@Nullable String filesystem) {
        return filesystem != null && VOLATILE.contains(filesystem);
    }

    /** {@return whether what is written there goes to another machine} */
    public static boolean isRemote(@Nullable String filesystem) {
        return filesystem != null && REMOTE.contains(filesystem);
    }

    private static List<String> remarks(VolumeFacts facts) {
        List<String> remarks = new ArrayList<>();
        if (isVolatile(facts.mount().filesystem())) {
            remarks.add("in memory: nothing here survives a restart of the machine");
        }
        if (isRemote(facts.mount().filesystem())) {
            remarks.add("on another machine: what a sync is worth is decided there");
        }
        if (facts.disksUnknown() != null) {
            remarks.add("flushes, cache and shared disks are unknown: " + facts.disksUnknown());
        }
        DiskService service = facts.service();
        if (service != null && service.ephemeral() == null) {
            remarks.add(
                    service.text() + ": it may be one whose content goes when the machine stops");
        }
        if (!facts.mount().barriers()) {
            remarks.add("no barriers: syncs send no flush; safe only above a cache that survives a"
                    + " power loss");
        }
        if (facts.mount().optionsThatMatter().contains("ro")) {
            remarks.add("mounted read-only");
        }
        if (facts.disk().virtual() && Boolean.TRUE.equals(facts.disk().rotational())) {
            remarks.add("a virtual disk that calls itself rotational; that need not be so");
        }
        if (facts.disk().backingFile() != null
                && !Boolean.TRUE.equals(facts.disk().directIo())) {
            remarks.add("a loop device through the page cache: until a flush, rates are those of"
                    + " memory");
        }
        return remarks;
    }
}
