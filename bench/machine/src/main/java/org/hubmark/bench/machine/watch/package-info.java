/** The counters of a server's machine, read from elsewhere over the pipe of a command. */
@NullMarked
package org.hubmark.bench.machine.watch;

import org.jspecify.annotations.NullMarked;
