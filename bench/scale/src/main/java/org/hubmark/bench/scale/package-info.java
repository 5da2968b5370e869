/** Measures how a replicated queue scales with hosts. */
@NullMarked
package org.hubmark.bench.scale;

import org.jspecify.annotations.NullMarked;
