/** Crashes servers and checks what they had acknowledged. */
@NullMarked
package org.hubmark.bench.durability;

import org.jspecify.annotations.NullMarked;
