/** The report of plans, and the page by which their inputs can be moved. */
@NullMarked
package org.hubmark.bench.plan.report;

import org.jspecify.annotations.NullMarked;
