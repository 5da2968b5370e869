/** What this machine is and does: CPU time, control groups, counters of disks. */
@NullMarked
package org.hubmark.bench.machine;

import org.jspecify.annotations.NullMarked;
