/** Two documents of one kind side by side, by the rule of docs/decisions/0010. */
@NullMarked
package org.hubmark.bench.kit.compare;

import org.jspecify.annotations.NullMarked;
