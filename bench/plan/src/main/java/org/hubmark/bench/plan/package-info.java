/** From measured results to users, rates and disks, and back. */
@NullMarked
package org.hubmark.bench.plan;

import org.jspecify.annotations.NullMarked;
