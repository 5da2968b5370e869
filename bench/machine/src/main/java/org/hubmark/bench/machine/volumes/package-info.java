/** Volumes and devices: what they are, what they can do, and test volumes that act like others. */
@org.jspecify.annotations.NullMarked
package org.hubmark.bench.machine.volumes;
