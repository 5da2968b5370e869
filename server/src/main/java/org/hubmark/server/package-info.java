/** The main of the hub alone: the commands that run a hub and look after its queue. */
@NullMarked
package org.hubmark.server;

import org.jspecify.annotations.NullMarked;
