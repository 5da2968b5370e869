/** A queue on Apache Pulsar: docs/scale-out.md. */
@NullMarked
package org.hubmark.pulsar;

import org.jspecify.annotations.NullMarked;
