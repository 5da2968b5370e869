/** What tells whether a machine did nothing but what was measured, and what follows where it did more. */
@NullMarked
package org.hubmark.bench.kit.check;

import org.jspecify.annotations.NullMarked;
