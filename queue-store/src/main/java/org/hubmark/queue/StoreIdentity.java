package org.hubmark.queue;

import org.hubmark.core.FileErrors;
import org.hubmark.core.PrivateFiles;
import org.hubmark.core.StoreException;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.QueueDatabase;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Identity of the store that a volume belongs to, and the role of the volume: the file
 * {@code hubmark-store} on each of the two volumes. Its lines: {@code format 4},
 * {@code store UUID}, {@code role log} or {@code role queue}.
 *
 * <p>A store is made in steps, each durable before the next: the file under the name
 * {@code hubmark-store.new} on both volumes, an empty queue database and witness, and then the
 * file's own name, on the queue volume first. A start that finds some of this done does the rest.
 *
 * @param store the store, the same on both volumes
 * @param role the part this volume plays
 */
record StoreIdentity(UUID store, Role role) {
    static final String FILE = "hubmark-store";
    private static final String BEGUN = FILE + ".new";
    static final String FORMAT = "4";

    /** Without states apart from the rows of the queue database; that of 0.1.0. */
    private static final String FORMAT_BEFORE = "3";

    private static final Pattern FORM =
            Pattern.compile("format (\\S+)(?:\\Rstore (\\S+)\\Rrole (\\S+))?");

    private static final String LINES =
            "it is not 'format N', 'store UUID', 'role ROLE', a line each";

    /** The part that a volume plays. */
    enum Role {
        LOG,
        QUEUE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Checks that two volumes are one store's.
     *
     * @return the log volume's
     * @throws StoreException if they aren't, or there is no store; the message says what to do
     */
    static StoreIdentity require(Path logVolume, Path queueVolume) throws StoreException {
        StoreIdentity found = find(logVolume, queueVolume);
        if (found == null) {
            throw new StoreException("there is no queue: neither the log volume " + logVolume
                    + " nor the queue volume " + queueVolume + " has a file " + FILE
                    + "; check the two folders, and that they are mounted");
        }
        return found;
    }

    /**
     * Looks whose the volumes are.
     *
     * @return the log volume's, or null when neither is a store's
     * @throws StoreException if they aren't one store's; the message says what to do
     */
    static @Nullable StoreIdentity find(Path logVolume, Path queueVolume) throws StoreException {
        try {
            StoreIdentity log = read(logVolume, FILE);
            StoreIdentity queue = read(queueVolume, FILE);
            if (log == null && queue != null) {
                StoreIdentity begun = read(logVolume, BEGUN);
                log = begun != null && begun.store.equals(queue.store) ? begun : null;
            }
            return log == null && queue == null ? null : agree(logVolume, log, queueVolume, queue);
        } catch (IOException e) {
            throw StoreStart.failure(
                    "can't use the volumes " + logVolume + " and " + queueVolume, e);
        }
    }

    /**
     * Begins to make a store on two volumes that are no store's.
     *
     * @return the log volume's; {@link #complete} ends it
     * @throws StoreException if they hold a store's files all the same
     */
    static StoreIdentity begin(Path logVolume, Path queueVolume) throws IOException {
        requireEmpty(logVolume, Role.LOG);
        if (!Files.exists(queueVolume.resolve(BEGUN))) {
            // Else the database is one that a start has just begun to make.
            requireEmpty(queueVolume, Role.QUEUE);
        }
        UUID store = UUID.randomUUID();
        StoreIdentity log = new StoreIdentity(store, Role.LOG);
        new StoreIdentity(store, Role.QUEUE).write(queueVolume);
        log.write(logVolume);
        return log;
    }

    /** Ends what {@link #begin} has begun, in this start or in one that was cut off. */
    static void complete(Path logVolume, Path queueVolume) throws IOException {
        for (Path volume : List.of(queueVolume, logVolume)) {
            if (!Files.exists(volume.resolve(FILE))) {
                Files.move(volume.resolve(BEGUN), volume.resolve(FILE));
                PrivateFiles.syncNames(volume);
            }
        }
    }

    /**
     * Says of a store in the form before that it has this version's from now on, before that is so: an
     * older version refuses it then by its number, and does not take it for a damaged one.
     */
    void convert(Path logVolume, Path queueVolume) throws IOException {
        for (Role each : Role.values()) {
            Path volume = each == Role.LOG ? logVolume : queueVolume;
            if (Files.readString(volume.resolve(FILE)).startsWith("format " + FORMAT_BEFORE)) {
                new StoreIdentity(store, each).write(volume);
                Files.move(
                        volume.resolve(BEGUN),
                        volume.resolve(FILE),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
                PrivateFiles.syncNames(volume);
            }
        }
    }

    private static StoreIdentity agree(
            Path logVolume,
            @Nullable StoreIdentity log,
            Path queueVolume,
            @Nullable StoreIdentity queue)
            throws StoreException {
        if (log == null || queue == null) {
            boolean logMissing = log == null;
            throw new StoreException("the " + (logMissing ? "log" : "queue") + " volume "
                    + (logMissing ? logVolume : queueVolume)
                    + " is missing or not mounted: it has no file " + FILE + ", but the "
                    + (logMissing ? "queue volume " + queueVolume : "log volume " + logVolume)
                    + " belongs to a store; give the volume that belongs to it");
        }
        if (log.role == Role.QUEUE && queue.role == Role.LOG) {
            throw new StoreException("the log and the queue volume are swapped: give " + queueVolume
                    + " as the log volume and " + logVolume + " as the queue volume");
        }
        if (log.role != Role.LOG || queue.role != Role.QUEUE) {
            throw new StoreException("the folders " + logVolume + " and " + queueVolume
                    + " are both the " + log.role.text()
                    + " volume of a store; give one log volume and one queue volume");
        }
        if (!log.store.equals(queue.store)) {
            throw new StoreException("the volumes belong to two different stores: the log volume "
                    + logVolume + " to " + log.store + ", the queue volume " + queueVolume + " to "
                    + queue.store + "; give two volumes of one store");
        }
        return log;
    }

    private static void requireEmpty(Path volume, Role role) throws IOException {
        for (String part :
                List.of(StoreStart.SEGMENTS_FOLDER, QueueDatabase.FOLDER, ContentFiles.FOLDER)) {
            Path folder = volume.resolve(part);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    if (files.findAny().isPresent()) {
                        throw new StoreException("the " + role.text() + " volume " + volume
                                + " holds a store's files in " + part + " but no file " + FILE
                                + " that says which store's; restore that file, or empty the"
                                + " folder if its mail is not needed");
                    }
                }
            }
        }
    }

    private static @Nullable StoreIdentity read(Path volume, String name) throws IOException {
        Path file = volume.resolve(name);
        if (!Files.exists(file)) {
            return null;
        }
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            throw damaged(file, FileErrors.reason(e));
        }
        Matcher lines = FORM.matcher(text);
        if (!lines.lookingAt()) {
            throw damaged(file, LINES);
        }
        if (!List.of(FORMAT, FORMAT_BEFORE).contains(lines.group(1))) {
            throw new StoreException("the store on " + volume + " has format " + lines.group(1)
                    + ", this version knows format " + FORMAT
                    + "; use the version of Hubmark that wrote it");
        }
        String store = lines.group(2);
        String role = lines.group(3);
        if (store == null || role == null) {
            throw damaged(file, LINES);
        }
        try {
            return new StoreIdentity(
                    UUID.fromString(store), Role.valueOf(role.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw damaged(file, e.getMessage());
        }
    }

    private void write(Path volume) throws IOException {
        PrivateFiles.createFolders(volume);
        String text = "format " + FORMAT + "\nstore " + store + "\nrole " + role.text() + "\n";
        // One that a start was cut off with stays, since it says that the database may be new too.
        try (FileChannel file = PrivateFiles.open(volume.resolve(BEGUN))) {
            file.truncate(0);
            ByteBuffer octets = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (octets.hasRemaining()) {
                file.write(octets);
            }
            file.force(true);
        }
        PrivateFiles.syncNames(volume);
    }

    private static StoreException damaged(Path file, @Nullable String what) {
        return new StoreException(file + " is damaged (" + what
                + "); restore it from the other volume's, with this volume's role");
    }
}
