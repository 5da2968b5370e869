/** Results drawn as tables and plots: on the terminal, in Markdown, in HTML. */
@NullMarked
package org.hubmark.bench.mail.report;

import org.jspecify.annotations.NullMarked;
