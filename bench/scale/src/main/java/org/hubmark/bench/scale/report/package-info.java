/** The report of a scale-out. */
@NullMarked
package org.hubmark.bench.scale.report;

import org.jspecify.annotations.NullMarked;
