package org.hubmark.bench.durability.unsynced;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Recorded files as they were at a moment, and what of them was on the device: what POSIX promises and
 * nothing that a file system does beyond that. Made by applying a record event by event. Octets are on
 * the device when a flush of their file, asked for after they were written, is done; a name is when a
 * flush of its folder is. One thread.
 */
final class FileHistory {
    /** Fewer octets that stay the same between two that change are taken for changed. */
    private static final int GAP_BYTES = 16;

    private final Map<Long, File> files = new HashMap<>();
    private final Map<Integer, Flush> flushes = new HashMap<>();
    private final Map<File, List<Range>> unread = new LinkedHashMap<>();
    private long sequence;
    private long writtenBytes;
    private long flushedBytes;

    /** Octets of a file, from the first one to the first that is not among them. */
    record Range(long from, long to) {
        boolean meets(long otherFrom, long otherTo) {
            return from < otherTo && otherFrom < to;
        }
    }

    /** Octets that were changed and are not on the device. */
    private record Change(Range range, long sequence) {}

    /** A change of a name that is not on the device: whose it is now, or nobody's. */
    private record NameChange(String name, @Nullable File file, long sequence) {}

    /** Whose a name is, and since when. */
    private record Entry(File file, long sequence) {}

    /** A name of a file. */
    record Place(File folder, String name) {}

    /** A flush that was asked for. */
    record Flush(File file, FileEvent.Call call, Range range, long sequence) {}

    /** What a flush has brought to the device. */
    record Settled(Flush flush, List<Range> ranges, List<String> names) {}

    /** A file or a folder. */
    static final class File {
        final long id;
        final SparseFile content = new SparseFile();
        private final Set<Place> places = new LinkedHashSet<>();
        private final Map<String, Entry> entries = new HashMap<>();
        private final Map<String, File> entriesOnDevice = new HashMap<>();
        private List<Change> changes = new ArrayList<>();
        private List<NameChange> nameChanges = new ArrayList<>();
        /** When the last flush of it that is done was asked for. */
        private long flushedSequence = -1;

        private final boolean isFolder;
        private String lastPath = "";

        private File(long id, boolean isFolder) {
            this.id = id;
            this.isFolder = isFolder;
        }

        /** {@return its names now} */
        Set<Place> places() {
            return places;
        }

        /** {@return below the folder of the server; its last one if it has none any more} */
        String path() {
            if (places.isEmpty()) {
                return lastPath.isEmpty() ? "(a file without a name)" : lastPath + " (removed)";
            }
            Place place = places.iterator().next();
            String above = place.folder.id == FileEvent.ROOT ? "" : place.folder.path() + "/";
            return above + place.name;
        }

        /** {@return octets that are not on the device, of those that are asked for} */
        List<Range> unflushed(long from, long to) {
            return changes.stream()
                    .map(Change::range)
                    .filter(range -> range.meets(from, to))
                    .map(range -> new Range(Math.max(from, range.from), Math.min(to, range.to)))
                    .toList();
        }
    }

    FileHistory() {
        files.put(FileEvent.ROOT, new File(FileEvent.ROOT, true));
    }

    /** {@return octets that were written and changed anything} */
    long writtenBytes() {
        return writtenBytes;
    }

    /** {@return those of them that flushes have brought to the device} */
    long flushedBytes() {
        return flushedBytes;
    }

    /** {@return what was written since the last call, by file} */
    Map<File, List<Range>> takeUnread() {
        Map<File, List<Range>> taken = new LinkedHashMap<>(unread);
        unread.clear();
        return taken;
    }

    @Nullable
    File file(long id) {
        return files.get(id);
    }

    /** {@return a flush that was asked for and is not done} */
    @Nullable
    Flush flush(int number) {
        return flushes.get(number);
    }

    /** {@return who has a name now} */
    @Nullable
    File named(long folder, String name) {
        Entry entry = existing(folder).entries.get(name);
        return entry == null ? null : entry.file;
    }

    /** Goes on by one event; {@return what it has brought to the device, if it is the end of a flush} */
    @Nullable
    Settled apply(FileEvent event) {
        sequence++;
        switch (event) {
            case FileEvent.Named named ->
                name(
                        existing(named.parent()),
                        named.name(),
                        files.computeIfAbsent(named.node(), id -> new File(id, named.folder())));
            case FileEvent.Unnamed unnamed -> unname(existing(unnamed.parent()), unnamed.name());
            case FileEvent.Renamed renamed -> rename(renamed);
            case FileEvent.Written written -> write(written);
            case FileEvent.Sized sized -> {
                File file = existing(sized.node());
                if (sized.bytes() < file.content.bytes()) {
                    change(file, new Range(sized.bytes(), file.content.bytes()));
                }
                file.content.resize(sized.bytes());
            }
            case FileEvent.Zeroed zeroed -> {
                File file = existing(zeroed.node());
                file.content.zero(zeroed.from(), zeroed.to());
                change(file, new Range(zeroed.from(), zeroed.to()));
            }
            case FileEvent.FlushBegun begun ->
                flushes.put(
                        begun.flush(),
                        new Flush(
                                existing(begun.node()),
                                begun.call(),
                                new Range(begun.from(), begun.to()),
                                sequence));
            case FileEvent.FlushDone done -> {
                Flush flush = flushes.remove(done.flush());
                return flush == null ? null : settle(flush);
            }
        }
        return null;
    }

    /**
     * Takes the folders that there are for older than the first message, as those of an installation are:
     * their names are on the device.
     */
    void settleFolders() {
        for (File folder : files.values()) {
            folder.entries.forEach((name, entry) -> {
                if (entry.file.isFolder) {
                    folder.entriesOnDevice.put(name, entry.file);
                }
            });
        }
    }

    private File existing(long id) {
        File file = files.get(id);
        if (file == null) {
            throw new IllegalStateException("the record has no node " + id);
        }
        return file;
    }

    private void name(File folder, String name, File file) {
        folder.entries.put(name, new Entry(file, sequence));
        folder.nameChanges.add(new NameChange(name, file, sequence));
        file.places.add(new Place(folder, name));
    }

    private @Nullable File unname(File folder, String name) {
        Entry entry = folder.entries.get(name);
        if (entry == null) {
            return null;
        }
        String path = entry.file.path();
        folder.entries.remove(name);
        folder.nameChanges.add(new NameChange(name, null, sequence));
        entry.file.places.remove(new Place(folder, name));
        entry.file.lastPath = path;
        return entry.file;
    }

    private void rename(FileEvent.Renamed renamed) {
        File from = existing(renamed.parent());
        File to = existing(renamed.toParent());
        File replaced = unname(to, renamed.toName());
        File file = unname(from, renamed.name());
        if (file != null) {
            name(to, renamed.toName(), file);
        }
        if (renamed.exchanged() && replaced != null) {
            name(from, renamed.name(), replaced);
        }
    }

    /** What is written once more as it is there already needs no flush of its own. */
    private void write(FileEvent.Written written) {
        File file = existing(written.node());
        byte[] octets = new byte[written.octets().remaining()];
        written.octets().get(written.octets().position(), octets);
        long position = written.position();
        byte[] before = file.content.read(position, octets.length);
        int from = -1;
        int to = -1;
        for (int i = 0; i < octets.length; i++) {
            if (i < before.length && octets[i] == before[i]) {
                continue;
            }
            if (from >= 0 && i - to > GAP_BYTES) {
                change(file, new Range(position + from, position + to));
                from = -1;
            }
            from = from < 0 ? i : from;
            to = i + 1;
        }
        if (from >= 0) {
            change(file, new Range(position + from, position + to));
        }
        file.content.write(position, octets);
        unread.computeIfAbsent(file, key -> new ArrayList<>())
                .add(new Range(position, position + octets.length));
    }

    private void change(File file, Range range) {
        writtenBytes += range.to - range.from;
        file.changes.add(new Change(range, sequence));
    }

    private Settled settle(Flush flush) {
        File file = flush.file;
        List<Range> ranges = new ArrayList<>();
        List<Change> left = new ArrayList<>();
        for (Change change : file.changes) {
            boolean isCovered = change.sequence < flush.sequence
                    && flush.range.from <= change.range.from
                    && change.range.to <= flush.range.to;
            if (isCovered) {
                ranges.add(change.range);
                flushedBytes += change.range.to - change.range.from;
            } else {
                left.add(change);
            }
        }
        file.changes = left;
        List<String> names = new ArrayList<>();
        if (flush.call == FileEvent.Call.FSYNC_FOLDER) {
            List<NameChange> later = new ArrayList<>();
            for (NameChange change : file.nameChanges) {
                if (change.sequence >= flush.sequence) {
                    later.add(change);
                } else if (change.file == null) {
                    file.entriesOnDevice.remove(change.name);
                } else {
                    file.entriesOnDevice.put(change.name, change.file);
                    names.add(change.name);
                }
            }
            file.nameChanges = later;
        }
        if (flush.call != FileEvent.Call.SYNCED_WRITE) {
            file.flushedSequence = Math.max(file.flushedSequence, flush.sequence);
        }
        return new Settled(flush, ranges, names);
    }

    /** {@return whether names that are on the device lead to a file, one at least of those it has now} */
    boolean isReachable(File file) {
        return file.id == FileEvent.ROOT
                || file.places.stream()
                        .anyMatch(place -> place.folder.entriesOnDevice.get(place.name) == file
                                && isReachable(place.folder));
    }

    /** {@return a folder that would have to be flushed for that; null if there is none} */
    @Nullable
    File unflushedFolder(File file) {
        for (Place place : file.places) {
            File above = unflushedFolder(place.folder);
            if (above != null) {
                return above;
            }
            if (place.folder.entriesOnDevice.get(place.name) != file) {
                return place.folder;
            }
        }
        return null;
    }

    /**
     * {@return whether a journal of metadata keeps the names that lead to a file} In ext4 and XFS, a flush
     * of a file or of a folder brings its own metadata to the device and all that was changed before it;
     * POSIX doesn't promise that.
     */
    boolean isKeptByJournal(File file) {
        return isReachable(file)
                || file.places.stream()
                        .anyMatch(place -> isOlder(
                                place, Math.max(file.flushedSequence, lastFlush(place.folder))));
    }

    /** {@return when the last flush of a folder or of one above it was asked for; -1 if none was} */
    private static long lastFlush(File folder) {
        return Math.max(
                folder.flushedSequence,
                folder.places.stream()
                        .mapToLong(place -> lastFlush(place.folder))
                        .max()
                        .orElse(-1));
    }

    private static boolean isOlder(Place place, long than) {
        Entry entry = place.folder.entries.get(place.name);
        return entry != null
                && entry.sequence < than
                && (place.folder.id == FileEvent.ROOT
                        || place.folder.places.stream().anyMatch(above -> isOlder(above, than)));
    }
}
