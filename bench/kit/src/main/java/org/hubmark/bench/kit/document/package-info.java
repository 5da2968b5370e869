/** Files of results, and the sums of all that lies beside them. */
@NullMarked
package org.hubmark.bench.kit.document;

import org.jspecify.annotations.NullMarked;
