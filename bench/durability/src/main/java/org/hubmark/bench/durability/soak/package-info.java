/** What soaks have written: a line a history, and what they add up to. */
@NullMarked
package org.hubmark.bench.durability.soak;

import org.jspecify.annotations.NullMarked;
