/** Receives mail by SMTP (RFC 5321) and hands it to an intake. */
@NullMarked
package org.hubmark.smtp;

import org.jspecify.annotations.NullMarked;
