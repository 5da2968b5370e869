/** The report of how many users a mail system holds. */
@NullMarked
package org.hubmark.bench.users.report;

import org.jspecify.annotations.NullMarked;
