/** Judges whether a result keeps the rules of docs/run-rules.md. */
@NullMarked
package org.hubmark.bench.results.publish;

import org.jspecify.annotations.NullMarked;
