/** A mail system to try things on: a hub, and a mailbox server that keeps all mail in memory. */
@NullMarked
package org.hubmark.bench.users.embedded;

import org.jspecify.annotations.NullMarked;
