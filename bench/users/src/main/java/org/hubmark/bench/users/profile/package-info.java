/** What users do in a day, as data, and whom they write to. */
@NullMarked
package org.hubmark.bench.users.profile;

import org.jspecify.annotations.NullMarked;
