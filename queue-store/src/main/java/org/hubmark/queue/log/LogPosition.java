package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

/**
 * Place of a record in the log: in the front of its group, and for large content also the whole
 * pages in the body of the group. Two are equal when they begin at the same place.
 *
 * <p>The writer learns where a body begins when it closes the group, and nobody else has the
 * position before that; from then on it never changes.
 */
public final class LogPosition {
    public final long generation;
    public final int offset;
    public final int recordBytes;
    public final int bodyBytes;
    int bodyOffset;

    /**
     * A place.
     *
     * @param generation of its segment
     * @param offset of the record's header in the segment, in bytes
     * @param recordBytes of header and payload
     * @param bodyBytes of the payload that lie in the body; the first of the content
     * @param bodyOffset where they begin in the segment
     */
    public LogPosition(
            long generation, int offset, int recordBytes, int bodyBytes, int bodyOffset) {
        this.generation = generation;
        this.offset = offset;
        this.recordBytes = recordBytes;
        this.bodyBytes = bodyBytes;
        this.bodyOffset = bodyOffset;
    }

    /** {@return the bytes in the front: the header, the head, and the content that isn't in the body} */
    int frontBytes() {
        return recordBytes - bodyBytes;
    }

    /** The bodies of the group begin here, and this one as far behind it as was said. */
    void bodiesBegin(int segmentOffset) {
        bodyOffset += segmentOffset;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogPosition position
                && generation == position.generation
                && offset == position.offset;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(generation) + offset;
    }

    @Override
    public String toString() {
        return generation + ":" + offset;
    }
}
