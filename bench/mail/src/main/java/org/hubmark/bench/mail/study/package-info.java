/** Measures scenarios: starts hubs, loads them, and collects what was found into results. */
@NullMarked
package org.hubmark.bench.mail.study;

import org.jspecify.annotations.NullMarked;
