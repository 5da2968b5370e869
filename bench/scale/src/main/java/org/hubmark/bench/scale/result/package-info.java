/** What was found, as it stands in scale-out.json. */
@NullMarked
package org.hubmark.bench.scale.result;

import org.jspecify.annotations.NullMarked;
