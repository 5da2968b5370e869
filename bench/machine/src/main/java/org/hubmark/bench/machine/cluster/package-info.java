/** A small cluster of Pulsar and BookKeeper on this machine, in processes of their own. */
@NullMarked
package org.hubmark.bench.machine.cluster;

import org.jspecify.annotations.NullMarked;
