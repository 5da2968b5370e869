package org.hubmark.bench.machine.folders;

import org.hubmark.queue.QueueReader;
import org.hubmark.queue.StoreLock;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks for reasons not to delete folders: a process that uses a store in them, mail that a store
 * holds. A store whose mail can't be counted may hold some. Changes nothing.
 */
public final class StoreSearch {
    private static final String IDENTITY = "hubmark-store";

    private StoreSearch() {}

    /** {@return whether a folder is a volume of a store} */
    public static boolean isVolume(Path folder) {
        return Files.exists(folder.resolve(IDENTITY));
    }

    /**
     * {@return why these folders must not be deleted, in words, or null}
     *
     * @param beside where the other volume of a store may lie that has one in these folders
     */
    public static @Nullable String obstacle(List<Path> folders, List<Path> beside)
            throws IOException {
        String user = user(folders);
        return user == null ? mail(folders, beside) : user;
    }

    /** {@return which process uses a store in these folders, in words, or null} */
    public static @Nullable String user(List<Path> folders) throws IOException {
        for (Path folder : all(folders)) {
            String holder = StoreLock.holder(folder).orElse(null);
            if (holder != null) {
                return folder + " is in use by process " + holder;
            }
        }
        return null;
    }

    /** {@return what mail there may be in these folders, in words, or null} */
    public static @Nullable String mail(List<Path> folders, List<Path> beside) throws IOException {
        List<Path> volumes = all(folders).stream().filter(StoreSearch::isVolume).toList();
        List<Path> others = new ArrayList<>(volumes);
        all(beside).stream().filter(StoreSearch::isVolume).forEach(others::add);
        for (Path volume : volumes) {
            String mail = mail(volume, others);
            if (mail != null) {
                return mail;
            }
        }
        return null;
    }

    /** {@return what mail a volume may hold, in words, or null} */
    public static @Nullable String mail(Path volume, List<Path> others) {
        for (Path other : others) {
            Long asLog = messages(volume, other);
            Long asQueue = asLog == null ? messages(other, volume) : null;
            if (asLog != null) {
                return words(volume, other, asLog);
            }
            if (asQueue != null) {
                return words(other, volume, asQueue);
            }
        }
        return volume + " belongs to a queue whose other volume is not there or can't be read";
    }

    private static @Nullable String words(Path log, Path queue, long messages) {
        return messages == 0
                ? null
                : log + " and " + queue + " hold a queue with " + messages
                        + (messages == 1 ? " message" : " messages");
    }

    private static @Nullable Long messages(Path log, Path queue) {
        AtomicLong messages = new AtomicLong();
        try (QueueReader reader = QueueReader.open(log, queue)) {
            reader.forEach(message -> messages.incrementAndGet());
            return messages.get();
        } catch (IOException e) {
            // Two volumes of one role or of two stores, or one that can't be read.
            return null;
        }
    }

    /** {@return these folders and all below them} */
    private static List<Path> all(List<Path> folders) throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes is) {
                        all.add(at);
                        return FileVisitResult.CONTINUE;
                    }
                });
            }
        }
        return all;
    }
}
