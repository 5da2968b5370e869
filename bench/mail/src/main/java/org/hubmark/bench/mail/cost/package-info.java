/** What a message costs, as a line over its size. */
@NullMarked
package org.hubmark.bench.mail.cost;

import org.jspecify.annotations.NullMarked;
