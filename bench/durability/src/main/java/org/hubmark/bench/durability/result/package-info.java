/** What durability and cluster crash find: what is counted, and the figures that are made of it. */
@NullMarked
package org.hubmark.bench.durability.result;

import org.jspecify.annotations.NullMarked;
