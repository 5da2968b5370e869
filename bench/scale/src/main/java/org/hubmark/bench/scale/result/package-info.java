/** What is counted of hosts, and what is made of it. */
@NullMarked
package org.hubmark.bench.scale.result;

import org.jspecify.annotations.NullMarked;
