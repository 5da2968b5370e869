/** Two or more builds of Hubmark side by side in one run: how each fares against the first. */
@NullMarked
package org.hubmark.bench.measure.builds;

import org.jspecify.annotations.NullMarked;
