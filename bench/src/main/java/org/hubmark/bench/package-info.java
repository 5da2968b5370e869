/** The command line: runs the hub, loads servers, measures, reports. */
@NullMarked
package org.hubmark.bench;

import org.jspecify.annotations.NullMarked;
