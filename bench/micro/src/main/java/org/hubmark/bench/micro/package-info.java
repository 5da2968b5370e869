/** Benchmarks of single parts, run by JMH. */
@NullMarked
package org.hubmark.bench.micro;

import org.jspecify.annotations.NullMarked;
