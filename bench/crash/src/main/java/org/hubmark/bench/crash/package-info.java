/** Crashes servers and checks what they had acknowledged. */
@NullMarked
package org.hubmark.bench.crash;

import org.jspecify.annotations.NullMarked;
