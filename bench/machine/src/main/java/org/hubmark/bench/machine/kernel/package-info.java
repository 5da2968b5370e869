/** What the kernel says of the machine: its files, and its counters of block devices. */
@NullMarked
package org.hubmark.bench.machine.kernel;

import org.jspecify.annotations.NullMarked;
