/** Measures: starts hubs, loads them, and collects what was found into results. */
@NullMarked
package org.hubmark.bench.run;

import org.jspecify.annotations.NullMarked;
