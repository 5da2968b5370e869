/** A matrix: its cells as scenarios, and the volumes that each needs. */
@NullMarked
package org.hubmark.bench.mail.matrix;

import org.jspecify.annotations.NullMarked;
