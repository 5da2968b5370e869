/** Puts receiver, store, delivery and metrics together into a hub transport. */
@NullMarked
package org.hubmark.hub;

import org.jspecify.annotations.NullMarked;
