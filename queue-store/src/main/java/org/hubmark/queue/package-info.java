/** The durable queue: takes responsibility for messages and keeps it until they have left. */
@NullMarked
package org.hubmark.queue;

import org.jspecify.annotations.NullMarked;
