package org.hubmark.bench.durability.unsynced;

import java.nio.ByteBuffer;

/**
 * What happened to recorded files. The place in the record is the order; times are by nanoTime of this
 * machine. A file or folder is a node, by whatever names; {@link #ROOT} is the folder that is mounted.
 */
sealed interface FileEvent {
    /** The folder that is mounted, which nobody makes and nobody can lose. */
    long ROOT = 1;

    /** {@return when it was done} */
    long nanos();

    /** What a server asks for to have something on the device. */
    enum Call {
        FSYNC("fsync"),
        FDATASYNC("fdatasync"),
        FSYNC_FOLDER("fsync of the folder"),
        /** Only what it writes. */
        SYNCED_WRITE("write with O_DSYNC");

        private final String words;

        Call(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** A node got a name, its first or another one. */
    record Named(long nanos, long node, boolean folder, long parent, String name)
            implements FileEvent {}

    /** A name was removed. */
    record Unnamed(long nanos, long parent, String name) implements FileEvent {}

    /**
     * A name was changed; what had the new one before has lost it.
     *
     * @param exchanged whether it has the old one now
     */
    record Renamed(
            long nanos, long parent, String name, long toParent, String toName, boolean exchanged)
            implements FileEvent {}

    /** Octets were written. */
    record Written(long nanos, long node, long position, ByteBuffer octets) implements FileEvent {}

    /** A file was cut off, or made longer. */
    record Sized(long nanos, long node, long bytes) implements FileEvent {}

    /** Octets became zeros. */
    record Zeroed(long nanos, long node, long from, long to) implements FileEvent {}

    /**
     * A flush was asked for.
     *
     * @param flush its number
     * @param from the first octet that it covers
     * @param to the first one that it doesn't
     */
    record FlushBegun(long nanos, int flush, long node, Call call, long from, long to)
            implements FileEvent {}

    /** A flush was done: only from now on may the server rely on it. */
    record FlushDone(long nanos, int flush) implements FileEvent {}
}
