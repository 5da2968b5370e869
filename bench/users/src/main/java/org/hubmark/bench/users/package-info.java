/** Plays the day of users against a mail system that speaks SMTP and IMAP. */
@NullMarked
package org.hubmark.bench.users;

import org.jspecify.annotations.NullMarked;
