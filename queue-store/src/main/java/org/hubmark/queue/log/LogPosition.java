package org.hubmark.queue.log;

/**
 * Where a record lies in the log.
 *
 * @param generation of its segment
 * @param offset of the record's header in the segment, in bytes
 * @param recordBytes of header and payload
 */
public record LogPosition(long generation, int offset, int recordBytes) {}
