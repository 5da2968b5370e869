/**
 * Volumes whose power can be cut without being root, for tests: files in memory, and the files of a queue
 * database. A store on them is opened by {@link org.hubmark.queue.SimulatedLogVolume}.
 */
@NullMarked
package org.hubmark.queue.simulation;

import org.jspecify.annotations.NullMarked;
