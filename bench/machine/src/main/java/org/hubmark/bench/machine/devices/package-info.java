/** The volumes that a hub lies on: mounts, block devices and what is known of them without measuring. */
@NullMarked
package org.hubmark.bench.machine.devices;

import org.jspecify.annotations.NullMarked;
