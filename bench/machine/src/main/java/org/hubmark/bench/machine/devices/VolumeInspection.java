package org.hubmark.bench.machine.devices;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
            all.add(facts(folders.get(i), stacks.get(i), sharing));
        }
        return all;
    }

    private static VolumeFacts facts(Path folder, VolumeStack stack, List<String> sharing)
            throws IOException {
        FileStore store = Files.getFileStore(folder);
        Mount mount = stack.mount();
        Path backing = stack.backingFile();
        return new VolumeFacts(
                folder.toString(),
                mount == null
                        ? new VolumeFacts.Mounted(null, null, null, true)
                        : new VolumeFacts.Mounted(
                                mount.point().toString(),
                                mount.filesystem(),
                                mount.options(),
                                mount.barriers()),
                new VolumeFacts.Disk(
                        stack.deviceName(),
                        List.copyOf(stack.media()),
                        stack.model(),
                        stack.rotational(),
                        stack.virtual(),
                        stack.ephemeral(),
                        stack.scheduler(),
                        stack.writeCache(),
                        stack.raid(),
                        backing == null ? null : backing.toString(),
                        stack.directIo()),
                stack.unknown(),
                null,
                store.getTotalSpace(),
                store.getUsableSpace(),
                sharing,
                remarks(stack));
    }

    /** {@return whether what is written there stays in memory} */
    public static boolean isVolatile(@Nullable String filesystem) {
        return filesystem != null && VOLATILE.contains(filesystem);
    }

    /** {@return whether what is written there goes to another machine} */
    static boolean isRemote(String filesystem) {
        return REMOTE.contains(filesystem);
    }

    private static List<String> remarks(VolumeStack stack) {
        List<String> remarks = new ArrayList<>();
        Mount mount = stack.mount();
        if (mount != null && isVolatile(mount.filesystem())) {
            remarks.add("in memory: nothing here survives a restart of the machine");
        }
        if (stack.unknown() != null) {
            remarks.add("flushes, cache and shared disks are unknown: " + stack.unknown());
        }
        if (mount != null && !mount.barriers()) {
            remarks.add("no barriers: syncs send no flush; safe only above a cache that survives a"
                    + " power loss");
        }
        if (stack.pageCacheBytes() != null) {
            remarks.add("a loop device through the page cache: until a flush, rates are those of"
                    + " memory");
        }
        return remarks;
    }
}
