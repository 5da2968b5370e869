/** The report of a qualification, in the order of the sections that ESRP reports have. */
@NullMarked
package org.hubmark.bench.qualify.report;

import org.jspecify.annotations.NullMarked;
