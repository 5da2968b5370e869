/** Folders that commands make, use and take away again, without harm to anybody's mail. */
@NullMarked
package org.hubmark.bench.machine.folders;

import org.jspecify.annotations.NullMarked;
