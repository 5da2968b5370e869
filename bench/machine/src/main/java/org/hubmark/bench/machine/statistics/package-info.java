/** What may be said of times and rates that were recorded. */
@NullMarked
package org.hubmark.bench.machine.statistics;

import org.jspecify.annotations.NullMarked;
