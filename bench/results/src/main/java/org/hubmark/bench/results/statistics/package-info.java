/** What a few values say of the rest. */
@NullMarked
package org.hubmark.bench.results.statistics;

import org.jspecify.annotations.NullMarked;
