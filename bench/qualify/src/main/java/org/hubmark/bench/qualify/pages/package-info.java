/** A page store with update in place, which puts storage under the load of a mail database of the source. */
@NullMarked
package org.hubmark.bench.qualify.pages;

import org.jspecify.annotations.NullMarked;
