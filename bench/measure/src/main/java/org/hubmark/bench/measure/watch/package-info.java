/** The counters of a server's machine, read from elsewhere: over HTTP, over ssh, from an exporter. */
@NullMarked
package org.hubmark.bench.measure.watch;

import org.jspecify.annotations.NullMarked;
