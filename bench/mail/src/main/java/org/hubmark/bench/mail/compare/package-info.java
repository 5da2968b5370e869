/** Two results side by side, and what can be said of their difference. */
@NullMarked
package org.hubmark.bench.mail.compare;

import org.jspecify.annotations.NullMarked;
