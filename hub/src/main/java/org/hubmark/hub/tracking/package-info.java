/** Message tracking: one line an event, written in the background. */
@NullMarked
package org.hubmark.hub.tracking;

import org.jspecify.annotations.NullMarked;
