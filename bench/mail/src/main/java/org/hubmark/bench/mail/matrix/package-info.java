/** A matrix: its cells, the volumes that each needs, and the session that measures them. */
@NullMarked
package org.hubmark.bench.mail.matrix;

import org.jspecify.annotations.NullMarked;
