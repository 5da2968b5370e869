/**
 * A durable queue and an SMTP receiver for the tests of others: JUnit extensions, messages as they
 * arrived, faults by script, a clock that the test moves, and a power cut without being root.
 *
 * <p>Start with {@link org.hubmark.testkit.HubExtension}.
 */
@NullMarked
package org.hubmark.testkit;

import org.jspecify.annotations.NullMarked;
