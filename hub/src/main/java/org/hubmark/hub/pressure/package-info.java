/** Back pressure: what is watched, how far it is, and how far mail is held back for it. */
@NullMarked
package org.hubmark.hub.pressure;

import org.jspecify.annotations.NullMarked;
