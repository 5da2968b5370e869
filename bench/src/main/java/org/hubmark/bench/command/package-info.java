/** The commands of the command line, one class each. */
@NullMarked
package org.hubmark.bench.command;

import org.jspecify.annotations.NullMarked;
