/** Who sends: the load driver, and the sink on the other side. */
@NullMarked
package org.hubmark.bench.load;

import org.jspecify.annotations.NullMarked;
