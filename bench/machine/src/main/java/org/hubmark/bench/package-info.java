/** What all rooms of the measuring side say to a user; docs/architecture.md has the rooms. */
@NullMarked
package org.hubmark.bench;

import org.jspecify.annotations.NullMarked;
