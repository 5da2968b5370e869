/** Passes mail on to next hops by SMTP and LMTP, and asks them about recipients. */
@NullMarked
package org.hubmark.hub.relay;

import org.jspecify.annotations.NullMarked;
