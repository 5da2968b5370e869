/** How it is measured: snapshots of all counters, windows between them, repeats. */
@NullMarked
package org.hubmark.bench.measure;

import org.jspecify.annotations.NullMarked;
