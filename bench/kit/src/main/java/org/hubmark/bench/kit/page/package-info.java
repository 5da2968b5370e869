/** Reports that are written as chapters of text, tables and plots: stated once, drawn as Markdown and HTML. */
@NullMarked
package org.hubmark.bench.kit.page;

import org.jspecify.annotations.NullMarked;
