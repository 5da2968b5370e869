/** Judges whether a result keeps the rules of docs/run-rules.md. */
@NullMarked
package org.hubmark.bench.mail.publish;

import org.jspecify.annotations.NullMarked;
