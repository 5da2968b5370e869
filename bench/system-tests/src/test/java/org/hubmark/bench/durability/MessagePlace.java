package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Where the content of a message lies on the volumes of our own hub.
 *
 * @param file a content file of the queue volume, or a segment of the log
 * @param at where the content begins
 * @param bytes its length
 * @param entry the message
 */
record MessagePlace(Path file, long at, int bytes, Ledger.Entry entry) {
    /** {@return the messages that must be in the queue now, in the order of their tokens} */
    static List<Ledger.Entry> held(Ledger ledger) {
        return ledger.entries().stream()
                .filter(entry -> entry.acked && entry.delivered == 0)
                .sorted(Comparator.comparingLong(entry -> entry.token))
                .toList();
    }

    /**
     * {@return the place of one of these messages; null if none lies in such a file}
     *
     * @param prefixes names of the files; in those that come first it is looked for first
     */
    static @Nullable MessagePlace any(
            Path data, List<Ledger.Entry> messages, Random random, List<String> prefixes)
            throws IOException {
        List<Ledger.Entry> shuffled = new ArrayList<>(messages);
        Collections.shuffle(shuffled, random);
        // A message that was moved may also lie in the log still, where nobody reads it any more.
        List<Path> files = new ArrayList<>();
        for (String prefix : prefixes) {
            for (Path file : Folders.files(data)) {
                if (String.valueOf(file.getFileName()).startsWith(prefix)) {
                    files.add(file);
                }
            }
        }
        for (Ledger.Entry entry : shuffled) {
            byte[] content = LedgerMessage.content(entry.token);
            for (Path file : files) {
                int at = indexOf(Files.readAllBytes(file), content);
                if (at >= 0) {
                    return new MessagePlace(file, at, content.length, entry);
                }
            }
        }
        return null;
    }

    private static int indexOf(byte[] all, byte[] part) {
        for (int i = 0; i + part.length <= all.length; i++) {
            int length = 0;
            while (length < part.length && all[i + length] == part[length]) {
                length++;
            }
            if (length == part.length) {
                return i;
            }
        }
        return -1;
    }
}
