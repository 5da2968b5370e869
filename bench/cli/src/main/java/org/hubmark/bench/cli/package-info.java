/** The command line: the main classes, and the commands, one class each. */
@NullMarked
package org.hubmark.bench.cli;

import org.jspecify.annotations.NullMarked;
