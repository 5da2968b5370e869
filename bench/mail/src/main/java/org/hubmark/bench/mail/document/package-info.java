/** What a run found, as it stands in results.json. */
@NullMarked
package org.hubmark.bench.mail.document;

import org.jspecify.annotations.NullMarked;
