package org.hubmark.bench.qualify;

/**
 * The numbers of the messages of a folder: they are given out in order, and the oldest leaves first, so
 * that those that there are lie side by side. Any thread.
 */
final class MailboxFolder {
    private final int number;
    private long first;
    private long next;

    /**
     * Takes over what is there.
     *
     * @param first number of the oldest message
     * @param next number of the one that comes
     */
    MailboxFolder(int number, long first, long next) {
        this.number = number;
        this.first = first;
        this.next = next;
    }

    int number() {
        return number;
    }

    /** {@return the number of a new message} */
    synchronized long add() {
        return next++;
    }

    /** {@return how many there are} */
    synchronized long count() {
        return next - first;
    }

    /** {@return the number of the message at a share of the folder, below 1; -1 when there is none} */
    synchronized long at(double share) {
        return first == next ? -1 : first + (long) (share * (next - first));
    }
}
