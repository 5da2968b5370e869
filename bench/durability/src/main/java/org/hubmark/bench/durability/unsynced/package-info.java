/** Which octets of acknowledged mail were on the device: recorded files, and what their record says. */
@NullMarked
package org.hubmark.bench.durability.unsynced;

import org.jspecify.annotations.NullMarked;
