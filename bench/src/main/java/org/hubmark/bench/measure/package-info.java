/** Instruments: what the kernel, the hub and the driver counted, and the figures made of it. */
@NullMarked
package org.hubmark.bench.measure;

import org.jspecify.annotations.NullMarked;
