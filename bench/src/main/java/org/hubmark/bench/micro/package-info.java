/** Microbenchmarks of the parts that every message goes through. */
@NullMarked
package org.hubmark.bench.micro;

import org.jspecify.annotations.NullMarked;
