/** Reuse distances of block reads, sampled, and the hit ratios of other cache sizes that follow from them. */
@NullMarked
package org.hubmark.bench.qualify.reuse;

import org.jspecify.annotations.NullMarked;
