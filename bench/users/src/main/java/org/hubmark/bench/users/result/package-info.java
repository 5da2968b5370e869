/** What users.json holds: raw counts, the figures that are made of them, and how they are judged. */
@NullMarked
package org.hubmark.bench.users.result;

import org.jspecify.annotations.NullMarked;
