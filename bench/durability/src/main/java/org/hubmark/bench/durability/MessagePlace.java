package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
    /** {@return the place of one of the messages in the queue; null if none is found} */
    static @Nullable MessagePlace any(Path data, Ledger ledger, Random random) throws IOException {
        return any(data, ledger, random, List.of("content-", "segment-"));
    }

    /**
     * {@return the place of one of the messages in the queue; null if none lies in such a file}
     *
     * @param prefixes names of the files; in those that come first it is looked for first
     */
    static @Nullable MessagePlace any(
            Path data, Ledger ledger, Random random, List<String> prefixes) throws IOException {
        List<Ledger.Entry> held = new ArrayList<>();
        for (Ledger.Entry entry : ledger.entries()) {
            if (entry.acked && entry.delivered == 0) {
                held.add(entry);
            }
        }
        held.sort((a, b) -> Long.compare(a.order, b.order));
        Collections.shuffle(held, random);
        // A message that was moved may also lie in the log still, where nobody reads it any more.
        List<Path> files = new ArrayList<>();
        for (String prefix : prefixes) {
            for (Path file : Folders.files(data)) {
                if (String.valueOf(file.getFileName()).startsWith(prefix)) {
                    files.add(file);
                }
            }
        }
        for (Ledger.Entry entry : held) {
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
