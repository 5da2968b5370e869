/** The load driver and the sink: both sides of SMTP for measuring. */
@NullMarked
package org.hubmark.bench.load;

import org.jspecify.annotations.NullMarked;
