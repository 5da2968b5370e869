package org.hubmark.bench.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;

/**
 * Bookies with a disk each whose power can be cut: journal and ledgers of a bookie lie on one recorded
 * device. A bookie finds its files below the same path before and after a cut, because it refuses folders
 * of another name. Takes root. One thread.
 */
final class RecordedBookies implements AutoCloseable {
    private static final String PREFIX = "bookie-";

    private final Recorder recorder;
    private final Path folder;
    private final Path shown;
    private int cuts;

    private RecordedBookies(Recorder recorder, Path folder) {
        this.recorder = recorder;
        this.folder = folder;
        this.shown = folder.resolve("disks");
    }

    /**
     * Makes the disks.
     *
     * @param folder absent or empty
     * @param bookies which of the bookies have one
     */
    static RecordedBookies create(Path folder, List<Integer> bookies, Random random)
            throws IOException, InterruptedException {
        List<String> names = bookies.stream().map(number -> PREFIX + number).toList();
        Files.createDirectories(folder);
        Recorder recorder = Recorder.create(
                folder.resolve("recorder"), Layout.ofBookies(random.nextLong(), names));
        RecordedBookies made = new RecordedBookies(recorder, folder);
        boolean done = false;
        try {
            made.show(recorder.data());
            done = true;
            return made;
        } finally {
            if (!done) {
                recorder.close();
            }
        }
    }

    /** {@return the folder that holds the folders of the bookies} */
    Path folder() {
        return shown;
    }

    /** From now on a flush is acknowledged and nothing more, so that mail must be lost. */
    void ignoreFlushes() throws IOException {
        recorder.ignoreFlushes();
    }

    /**
     * Cuts the power of all of them; from then on the folder shows what was on the disks. The bookies have
     * been killed before: what one of them had acknowledged after the cut would be missing rightly.
     *
     * @return how many writes had not been flushed
     */
    long cut(Random random) throws IOException, InterruptedException {
        int before = cuts;
        cuts++;
        if (before == 0) {
            recorder.cut(cuts, random.nextLong());
        } else {
            recorder.cutAgain(before, cuts, random.nextLong());
            recorder.unmount();
        }
        show(recorder.mount(cuts, random.nextBoolean()));
        if (before > 0) {
            recorder.drop(before);
        }
        return recorder.unflushed(cuts);
    }

    @Override
    public void close() {
        recorder.close();
    }

    private void show(Path data) throws IOException {
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, data);
        Files.move(
                link, shown, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
