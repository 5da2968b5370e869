/** Judges storage as Jetstress did: mailbox databases, the load on them, and the phases of a test. */
@NullMarked
package org.hubmark.bench.qualify;

import org.jspecify.annotations.NullMarked;
