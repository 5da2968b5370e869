/**
 * Delivery: what is due is leased, handed to an agent and settled. Where mail goes and how, retries,
 * dead letters and notifications; the agents that need no next hop.
 */
@NullMarked
package org.hubmark.hub.delivery;

import org.jspecify.annotations.NullMarked;
