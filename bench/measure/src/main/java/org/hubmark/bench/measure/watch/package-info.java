/** The counters of a server's machine, read from elsewhere: over HTTP or over ssh. */
@NullMarked
package org.hubmark.bench.measure.watch;

import org.jspecify.annotations.NullMarked;
