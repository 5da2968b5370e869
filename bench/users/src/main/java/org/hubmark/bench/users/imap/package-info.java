/** A small IMAP client, made for load: it blocks, and lives on virtual threads. */
@NullMarked
package org.hubmark.bench.users.imap;

import org.jspecify.annotations.NullMarked;
