package org.hubmark.bench.hub;

import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.StoreSearch;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.queue.StoreLock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folders that a run's hubs work in. Each is locked as a store locks its volumes, so that nobody
 * else uses it meanwhile, and each hub gets volumes that are made for it in a folder of the run's
 * own: only what the run has made is ever removed. Closing removes all of it. One thread.
 */
public final class DataFolders implements AutoCloseable {
    /** A number follows: a run that was killed may have left the one before. */
    private static final String OWN = "hubmark-run-";
    /** mkfs makes it on each ext file system. */
    private static final String LOST_FOUND = "lost+found";

    private final VolumeFolders folders;
    private final List<FolderClaim> claims = new ArrayList<>();
    private final List<String> leftovers = new ArrayList<>();
    private String own = "";

    /** Names them; some of them, or all, may be one. Nothing is touched before {@link #claim}. */
    public DataFolders(VolumeFolders folders) {
        this.folders = folders;
    }

    /** {@return where the volumes lie} */
    public VolumeFolders volumes() {
        return folders;
    }

    /**
     * Takes them until they are closed, and makes those that are absent.
     *
     * @throws UserError when one can't be had, is in use, or holds anything
     */
    public void claim() {
        if (!claims.isEmpty()) {
            return;
        }
        // First all are looked at, so that nothing is made when one has to be refused.
        check();
        boolean claimed = false;
        try {
            claimAll();
            removeLeftovers();
            claimed = true;
        } finally {
            if (!claimed) {
                release();
            }
        }
    }

    /**
     * Looks whether they can be taken, and makes nothing.
     *
     * @throws UserError as {@link #claim}
     */
    public void check() {
        folders.all().forEach(DataFolders::requireFree);
        requireNoMail();
        folders.all().forEach(DataFolders::requireEmpty);
    }

    private void claimAll() {
        Set<Path> claimed = new HashSet<>();
        for (Path folder : folders.all()) {
            try {
                if (!Files.exists(folder) || !claimed.contains(folder.toRealPath())) {
                    claims.add(FolderClaim.of(folder));
                    claimed.add(folder.toRealPath());
                }
            } catch (IOException e) {
                throw unwritable(folder, e);
            }
        }
    }

    /**
     * {@return new, empty volumes; those that the last call returned are gone} The hub on them must
     * have ended.
     */
    public VolumeFolders fresh() {
        claim();
        try {
            removeOwn();
        } catch (IOException e) {
            throw UserError.failed("the files of the last hub in " + own + " can't be removed ("
                    + FileErrors.reason(e) + ")");
        }
        return new VolumeFolders(
                fresh(folders.log(), "log"),
                fresh(folders.queue(), "queue"),
                fresh(folders.tracking(), "tracking"));
    }

    private Path fresh(Path folder, String role) {
        try {
            return Files.createDirectories(folder.resolve(own).resolve(role));
        } catch (IOException e) {
            throw unwritable(folder, e);
        }
    }

    /** Removes what was made in them, and those that were made. The hub must have ended. */
    @Override
    public void close() throws IOException {
        try {
            removeOwn();
        } finally {
            release();
        }
    }

    private void release() {
        // Those made last lie deepest.
        for (FolderClaim claim : claims.reversed()) {
            try {
                claim.close();
            } catch (IOException e) {
                throw unwritable(claim.path(), e);
            }
        }
        claims.clear();
    }

    private void removeOwn() throws IOException {
        for (FolderClaim claim : claims) {
            Path made = claim.path().resolve(own);
            if (Files.exists(made)) {
                Folders.delete(made);
            }
        }
    }

    /** {@return what runs that were killed have left and mail keeps from being removed, in words} */
    public List<String> leftovers() {
        return List.copyOf(leftovers);
    }

    private static void requireFree(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw UserError.usage("volume " + folder + " is not a folder");
        }
        try {
            FolderClaim.requireFree(folder);
        } catch (IOException e) {
            throw UserError.failed(
                    "volume " + folder + " can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    private void requireNoMail() {
        for (Path folder : folders.all()) {
            String mail =
                    StoreSearch.isVolume(folder) ? StoreSearch.mail(folder, folders.all()) : null;
            if (mail != null) {
                throw UserError.usage(mail + ": name other folders, or deliver the"
                        + " mail first (hubmark serve --deliver), or export it (hubmark queue"
                        + " export) and delete the folders");
            }
        }
    }

    private static void requireEmpty(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            boolean empty = entries.map(entry -> entry.getFileName().toString())
                    .allMatch(name -> name.equals(LOST_FOUND)
                            || name.equals(StoreLock.FILE)
                            || name.startsWith(OWN));
            if (!empty) {
                throw UserError.usage("volume " + folder + " is not empty; name another folder, or"
                        + " empty it if nothing in it is needed");
            }
        } catch (IOException e) {
            throw UserError.failed(
                    "volume " + folder + " can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    /**
     * Removes the folders of killed runs: their locks are free, and our lock keeps others from
     * making more.
     */
    private void removeLeftovers() {
        int number = 1;
        for (List<Path> left = named(number); !left.isEmpty(); left = named(number)) {
            try {
                String obstacle = StoreSearch.obstacle(left, List.of());
                if (obstacle == null) {
                    for (Path folder : left) {
                        Folders.delete(folder);
                    }
                } else {
                    leftovers.add("a killed run has left " + left.getFirst() + ": " + obstacle);
                    number++;
                }
            } catch (IOException e) {
                throw unwritable(left.getFirst(), e);
            }
        }
        own = OWN + number;
    }

    private List<Path> named(int number) {
        return claims.stream()
                .map(claim -> claim.path().resolve(OWN + number))
                .filter(Files::exists)
                .toList();
    }

    private static UserError unwritable(Path folder, IOException e) {
        return UserError.failed(
                "volume " + folder + " can't be written (" + FileErrors.reason(e) + ")");
    }
}
