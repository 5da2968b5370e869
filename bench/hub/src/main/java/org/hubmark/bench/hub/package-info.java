/** The hub in a process of its own: how it is started, and what it says of itself. */
@NullMarked
package org.hubmark.bench.hub;

import org.jspecify.annotations.NullMarked;
