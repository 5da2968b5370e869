/** A client's side of SMTP: what reads replies, for deliveries too, and a small client for tests and tools. */
@NullMarked
package org.hubmark.smtp.client;

import org.jspecify.annotations.NullMarked;
