/** What a few values say of the rest. */
@NullMarked
package org.hubmark.bench.kit.statistics;

import org.jspecify.annotations.NullMarked;
