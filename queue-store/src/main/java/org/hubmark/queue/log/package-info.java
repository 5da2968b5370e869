/**
 * The intake log: records in groups, groups in segments, segments on a volume. It knows nothing of
 * what a record means to the queue; one writer, any number of readers, and a scan that finds its end.
 */
@NullMarked
package org.hubmark.queue.log;

import org.jspecify.annotations.NullMarked;
