/**
 * The vocabulary of the transport: what a message is while it is ours, the two seams (where mail comes in, where it goes
 * out), settings and units.
 */
@NullMarked
package org.hubmark.core;

import org.jspecify.annotations.NullMarked;
