package org.hubmark.queue.log;

import java.io.IOException;

/**
 * One segment file. The committer's thread writes it; any thread reads it.
 *
 * <p>The generation is what makes reading safe without a lock: who reads looks at it again
 * afterwards, and when it has changed, what was read may be of another use of the file.
 */
public final class Segment {
    final String name;
    final VolumeFile file;
    private final long bytes;
    private volatile long generation;
    private volatile long firstSequence;

    Segment(String name, VolumeFile file, long bytes) {
        this.name = name;
        this.file = file;
        this.bytes = bytes;
    }

    public long bytes() {
        return bytes;
    }

    /** {@return the generation that it holds, or 0 when it is spare} */
    long generation() {
        return generation;
    }

    public long firstSequence() {
        return firstSequence;
    }

    void use(long newGeneration, long newFirstSequence) {
        firstSequence = newFirstSequence;
        generation = newGeneration;
    }

    void makeSpare() {
        generation = 0;
    }

    void close() throws IOException {
        file.close();
    }
}
