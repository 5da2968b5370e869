/** How it is measured: snapshots of all counters, windows between them, repeats. */
@NullMarked
package org.hubmark.bench.mail.meter;

import org.jspecify.annotations.NullMarked;
