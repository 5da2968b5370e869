/**
 * What is in the queue: the entries of the log and their index, the rows of the queue database and their
 * schedule, and the content files beside it. Nothing here knows who commits, moves or reads.
 */
@NullMarked
package org.hubmark.queue.table;

import org.jspecify.annotations.NullMarked;
