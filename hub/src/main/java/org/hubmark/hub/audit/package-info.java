/** Comparing what was delivered with what was sent: a delivery that keeps the sums of what it throws away. */
@NullMarked
package org.hubmark.hub.audit;

import org.jspecify.annotations.NullMarked;
