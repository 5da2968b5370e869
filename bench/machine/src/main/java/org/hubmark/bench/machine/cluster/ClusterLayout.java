package org.hubmark.bench.machine.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * What a cluster is to be.
 *
 * @param bookies how many bookies; each keeps a copy of what it is given
 * @param brokers how many brokers
 * @param journals folders of the bookies' journals, which they take in turn
 * @param ledgers folders of the bookies' ledgers, which they take in turn
 * @param ownHosts whether each bookie and the broker of its number have a host of their own, a network
 *     namespace; else all are on the machine itself
 */
public record ClusterLayout(
        int bookies, int brokers, List<Path> journals, List<Path> ledgers, boolean ownHosts) {
    /** More JVMs than that on one machine measure the machine only. */
    public static final int PROCESSES_MAX = 16;

    private static final int COPIES_MAX = 3;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    public ClusterLayout {
        journals = List.copyOf(journals);
        ledgers = List.copyOf(ledgers);
        requireCount("bookies", bookies);
        requireCount("brokers", brokers);
        if (journals.isEmpty() || ledgers.isEmpty()) {
            throw new IllegalArgumentException("a cluster needs folders for journals and ledgers");
        }
    }

    /**
     * {@return on how many bookies a message is put} Three, or as many as leave a bookie over: with three
     * bookies two. Else nothing could be written any more when one has gone, since a new ledger takes as
     * many as there are copies.
     */
    public int copies() {
        return Math.max(1, Math.clamp(bookies - 1, Math.min(2, bookies), COPIES_MAX));
    }

    /** {@return how many bookies have synced a message when it is acknowledged} */
    public int synced() {
        return Math.min(2, copies());
    }

    /** {@return what an acknowledgement means, in words} */
    public String promise() {
        return copies() + (copies() == 1 ? " copy, synced on " : " copies, synced on ") + synced()
                + (synced() == 1 ? " bookie" : " bookies") + " before the 250";
    }

    /** {@return how many hosts there are beside the machine itself} */
    int hosts() {
        return ownHosts ? Math.max(bookies, brokers) : 0;
    }

    Path journal(int bookie) {
        return folder(journals, bookie);
    }

    Path ledger(int bookie) {
        return folder(ledgers, bookie);
    }

    private static Path folder(List<Path> folders, int bookie) {
        return folders.get((bookie - 1) % folders.size()).resolve("bookie-" + bookie);
    }

    private static void requireCount(String what, int count) {
        if (count < 1 || count > PROCESSES_MAX) {
            throw new IllegalArgumentException(
                    "a cluster has 1 to " + PROCESSES_MAX + " " + what + ", not " + count);
        }
    }
}
