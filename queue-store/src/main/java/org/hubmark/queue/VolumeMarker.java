package org.hubmark.queue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code store} on each volume of a store: says in three lines of text what the volume is
 * and to which store it belongs, so that a swapped or foreign volume is recognised before anything
 * in it is read.
 *
 * @param role what the volume is for
 * @param storeId to which store it belongs
 */
record VolumeMarker(Role role, UUID storeId) {
    /** Its file. */
    static final String NAME = "store";

    private static final String UNFINISHED = NAME + ".new";
    private static final int VERSION = 1;
    private static final int BYTES_MAX = 4096;
    private static final Pattern FORM =
            Pattern.compile("hubmark (log|queue) volume\nformat (\\d+)\nstore ([0-9a-f-]{36})\n");

    /** What a volume of a store is for. */
    enum Role {
        /** Holds the intake log. */
        LOG,
        /** Holds the queue database. */
        QUEUE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads a volume's marker.
     *
     * @param role what the volume is to be
     * @return null when there is none
     * @throws StoreException if the volume is another one; says what to do
     */
    static @Nullable VolumeMarker read(Volume volume, Role role) throws IOException {
        if (!volume.list().contains(NAME)) {
            return null;
        }
        String where = volume.describe(NAME);
        ByteBuffer bytes = ByteBuffer.allocate(BYTES_MAX);
        try (VolumeFile file = volume.open(NAME)) {
            file.read(0, bytes);
        }
        String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new StoreException(where + ": is not the marker of a Hubmark volume, or damaged;"
                    + " its three lines are 'hubmark " + role.text() + " volume', 'format "
                    + VERSION + "' and 'store ID', the id being that of the other volume's");
        }
        if (!matcher.group(2).equals(String.valueOf(VERSION))) {
            throw new StoreException(where + ": volume format " + matcher.group(2)
                    + " is not known here (known: " + VERSION
                    + "); use the Hubmark version that wrote it");
        }
        if (!matcher.group(1).equals(role.text())) {
            throw new StoreException(where + ": this is a " + matcher.group(1)
                    + " volume, given as the " + role.text()
                    + " volume; the two are swapped: exchange them");
        }
        return new VolumeMarker(role, UUID.fromString(matcher.group(3)));
    }

    /** Writes the marker; afterwards it is durable, and before it is not there at all. */
    void write(Volume volume) throws IOException {
        String text = "hubmark " + role.text() + " volume\nformat " + VERSION + "\nstore " + storeId
                + "\n";
        if (volume.list().contains(UNFINISHED)) {
            volume.delete(UNFINISHED);
        }
        try (VolumeFile file = volume.create(UNFINISHED)) {
            ByteBuffer[] bytes = {ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))};
            file.write(0, bytes, 1);
            file.sync();
        }
        volume.rename(UNFINISHED, NAME);
        volume.syncNames();
    }
}
