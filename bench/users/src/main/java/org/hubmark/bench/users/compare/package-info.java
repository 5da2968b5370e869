/** Two mail systems side by side: whether they may be compared, how each figure differs, and what may be said. */
@NullMarked
package org.hubmark.bench.users.compare;

import org.jspecify.annotations.NullMarked;
