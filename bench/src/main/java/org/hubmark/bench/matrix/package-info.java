/** Which cells a matrix has, the volumes that each needs, and the cost model fitted to them. */
@NullMarked
package org.hubmark.bench.matrix;

import org.jspecify.annotations.NullMarked;
