/** The phases of a test: what each does to mailbox databases, counts and is judged by. */
@NullMarked
package org.hubmark.bench.qualify.phase;

import org.jspecify.annotations.NullMarked;
