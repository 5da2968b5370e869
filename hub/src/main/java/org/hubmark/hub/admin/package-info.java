/** What an operator asks a running hub: pages by HTTP, commands by a socket, and the side that asks. */
@NullMarked
package org.hubmark.hub.admin;

import org.jspecify.annotations.NullMarked;
